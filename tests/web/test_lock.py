"""The code, what guessing costs, and who is unlocked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.web.lock import (
    FORGET_S,
    IDLE_S,
    LONGEST_OF_ALL_S,
    LONGEST_S,
    Lock,
    Visits,
    new_code,
)

CODE = "907315"


def test_a_code_is_six_digits_and_another_each_time() -> None:
    codes = {new_code() for _ in range(50)}
    assert all(len(code) == 6 and code.isdecimal() for code in codes)
    assert len(codes) > 40


def test_the_right_code_opens_and_a_slip_costs_nothing() -> None:
    lock = Lock(CODE)
    assert not lock.opens("123455", "phone", 0.0)
    assert lock.wait_s("phone", 0.1) == 0
    assert lock.opens(CODE, "phone", 0.1)


def test_a_thousand_wrong_codes_get_nowhere_and_do_not_lock_the_family_out() -> None:
    lock, looked_at = Lock(CODE), 0
    for number in range(1000):
        at = number * 0.5
        looked_at += lock.wait_s("vandal", at) == 0
        assert not lock.opens(f"{number:06d}", "vandal", at)
    assert looked_at <= 5 + 6 + 500 / LONGEST_S
    end = 1000 * 0.5
    assert not lock.opens(CODE, "vandal", end) or lock.wait_s("vandal", end) == 0
    assert lock.opens(CODE, "family", end + LONGEST_OF_ALL_S)
    assert lock.opens(CODE, "vandal", end + LONGEST_S + LONGEST_OF_ALL_S)


def test_many_addresses_share_one_bound() -> None:
    lock = Lock(CODE)
    looked_at = 0
    for number in range(2000):
        at, address = number * 0.5, f"10.0.{number // 250}.{number % 250}"
        looked_at += lock.wait_s(address, at) == 0
        lock.opens("000000", address, at)
    assert looked_at <= 20 + 5 + 1000 / LONGEST_OF_ALL_S + 1
    assert lock.opens(CODE, "family", 1000 + LONGEST_OF_ALL_S)


def test_while_somebody_waits_even_the_right_code_is_not_looked_at() -> None:
    lock = Lock(CODE)
    for _ in range(5):
        lock.opens("000000", "phone", 0.0)
    assert lock.wait_s("phone", 0.0) > 0
    assert not lock.opens(CODE, "phone", 0.0)
    assert lock.opens(CODE, "phone", 1.0)


def test_tries_that_come_too_early_do_not_make_the_wait_longer() -> None:
    lock = Lock(CODE)
    for _ in range(6):
        lock.opens("000000", "phone", 0.0)
    before = lock.wait_s("phone", 0.5)
    for _ in range(100):
        lock.opens("000000", "phone", 0.5)
    assert lock.wait_s("phone", 0.5) == before


def test_after_a_quiet_while_all_is_forgotten() -> None:
    lock = Lock(CODE)
    for number in range(60):
        lock.opens("000000", "phone", number * 61.0)
    quiet = 60 * 61.0 + FORGET_S + 1
    for _ in range(4):
        lock.opens("000000", "phone", quiet)
    assert lock.wait_s("phone", quiet) == 0


@given(st.lists(st.tuples(st.text(max_size=8), st.floats(0, 1000)), max_size=60))
def test_only_the_code_opens(tries: list[tuple[str, float]]) -> None:
    lock = Lock(CODE)
    for code, at in tries:
        assert lock.opens(code, "phone", at) is (code == CODE) or lock.wait_s("phone", at) > 0


def test_unlocking_gives_a_new_cookie_that_rests_a_day() -> None:
    visits = Visits()
    old = visits.new()
    assert Visits.proper(old) and not visits.unlocked(old, 0.0)
    new = visits.unlock(0.0)
    assert new != old and not visits.unlocked(old, 0.0)
    assert visits.unlocked(new, IDLE_S - 1) and visits.unlocked(new, 2 * IDLE_S - 2)
    assert not visits.unlocked(new, 3 * IDLE_S)


def test_a_locked_cookie_changes_nothing_any_more() -> None:
    visits = Visits()
    visit = visits.unlock(0.0)
    visits.lock(visit)
    assert not visits.unlocked(visit, 1.0)


def test_a_token_goes_with_its_cookie_and_its_server_only() -> None:
    visits, other = Visits(), Visits()
    visit = visits.new()
    assert visits.holds(visit, visits.token(visit))
    assert not visits.holds(visits.new(), visits.token(visit))
    assert not other.holds(visit, visits.token(visit))
    assert not visits.holds(visit, "é")


def test_what_does_not_look_like_a_cookie_is_none() -> None:
    assert not any(map(Visits.proper, (None, "", "short", "x" * 33, "ü" * 32)))


def test_unlocked_phones_are_bounded_and_the_longest_unused_goes() -> None:
    visits = Visits()
    first, *rest = (visits.unlock(float(number)) for number in range(64))
    assert visits.unlocked(first, 64.0)
    visits.unlock(65.0)
    assert visits.unlocked(first, 66.0) and not visits.unlocked(rest[0], 66.0)
