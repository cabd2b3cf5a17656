"""What the face reader learns from: fonts, llamas, printed faces, crops and their labels."""

import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.rules.pieces import FACES, Face
from vision.training import fonts, llamas, textures
from vision.training.artwork import DINGBATS, LEAST_CONTRAST, LETTERS, Design, grey, random_design
from vision.training.crops import CROP, REJECT, Identity, identity, rejects, views
from vision.training.shots import any_shot

ROOT = Path(__file__).parents[2]


with_fonts = pytest.mark.usefixtures("training_fonts")


@pytest.mark.slow
@with_fonts
def test_many_families_of_fonts_are_found_in_one_order() -> None:
    files = fonts.fonts()
    assert len(fonts.families(files)) >= fonts.FEWEST
    assert list(files) == sorted(set(files))


def test_too_few_fonts_name_the_command_that_installs_them(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("LAMA_FONTS", str(tmp_path))
    fonts.fonts.cache_clear()
    try:
        with pytest.raises(fonts.FontsMissing, match="apt-get install -y --no-install-recommends fonts-"):
            fonts.fonts()
    finally:
        fonts.fonts.cache_clear()


def test_what_the_reader_is_judged_on_is_printed_in_typefaces_that_nobody_learns_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    designs = (ROOT / "benchmarks" / "footage" / "designs.py").read_text(encoding="utf-8")
    fresh = re.findall(r'"([^"]+\.[ot]tf)"', designs.partition("\nFRESH")[2])
    assert len(fresh) == 29
    for name in [*fresh, "URWGothic-Demi.otf", "DejaVuSans.ttf"]:
        (tmp_path / name).touch()
    monkeypatch.setenv("LAMA_FONTS", str(tmp_path))
    assert fonts.font_files() == [tmp_path / "DejaVuSans.ttf"]


@with_fonts
@pytest.mark.slow
def test_every_numeral_of_every_font_has_ink_and_differs_from_the_others() -> None:
    for font in fonts.fonts()[::25]:
        drawn = [cv2.resize(fonts.glyph(font, digit, 48), (20, 30)).astype(int) for digit in "123456"]
        pairs = [(a, b) for i, a in enumerate(drawn) for b in drawn[:i]]
        assert min(np.abs(a - b).mean() for a, b in pairs) > 15, font


@pytest.mark.slow
def test_llamas_are_many_and_no_two_alike() -> None:
    inks = [llamas.llama(number, 64) > 0.5 for number in range(llamas.COUNT)]
    assert len(inks) >= 64
    for i, ink in enumerate(inks):
        assert 0.03 < ink.mean() < 0.85, i
        for j, other in enumerate(inks[:i]):
            for seen in (other, other[:, ::-1]):
                assert (ink & seen).sum() < 0.9 * (ink | seen).sum(), (i, j)


def test_a_llama_is_antialiased_ink_of_the_size_asked_for() -> None:
    ink = llamas.llama(5, 50)
    assert ink.shape == (50, 50)
    assert ink.dtype == np.float32
    assert ink.min() == 0 and ink.max() == 1 and ((ink > 0.1) & (ink < 0.9)).any()
    with pytest.raises(IndexError):
        llamas.llama(llamas.COUNT, 50)


@pytest.mark.slow
@with_fonts
def test_ink_keeps_its_contrast_and_is_as_often_light_as_dark() -> None:
    designs = [random_design(np.random.default_rng(seed)) for seed in range(300)]
    contrasts = np.array([[grey(ink) - grey(one.body) for ink in one.inks] for one in designs])
    assert np.abs(contrasts).min() >= 0.7 * LEAST_CONTRAST
    assert 0.4 < (contrasts > 0).mean() < 0.6
    assert np.abs(contrasts).min() < 30 and np.abs(contrasts).max() > 180


@with_fonts
def test_a_design_prints_the_same_face_again_and_different_faces_differently() -> None:
    one, again = (random_design(np.random.default_rng(4)) for _ in range(2))
    faces = [one.face(face, 64) for face in FACES]
    assert all(face.shape == (64, 64, 3) and face.dtype == np.uint8 for face in faces)
    assert all(np.array_equal(face, again.face(f, 64)) for face, f in zip(faces, FACES, strict=True))
    assert all((a != b).any() for i, a in enumerate(faces) for b in faces[:i])


@with_fonts
def test_pips_are_as_many_as_asked_for() -> None:
    plain = replace(_plain(), tall=0.6)
    for count in range(7):
        spots = (plain.pips(count, 80)[..., 0] < 128).astype(np.uint8)
        assert cv2.connectedComponents(spots)[0] - 1 == count


@with_fonts
def test_a_marked_six_has_more_ink_below_and_no_other_face_is_marked() -> None:
    plain, marked = _plain(), replace(_plain(), mark="line")
    assert marked.mask(Face.SIX, 96).sum() > plain.mask(Face.SIX, 96).sum() + 50
    assert np.array_equal(marked.mask(Face.FIVE, 96), plain.mask(Face.FIVE, 96))


def test_no_reject_is_a_numeral_in_another_turn() -> None:
    """9 g q are a six turned, Z N S a two or five, I l 7 a one."""
    near = set("0123456789gqpbdaeGPQOIlLTiJHVZNSEMWmwAhBYy")
    assert not near & set(LETTERS + DINGBATS + textures._LETTERS)


@with_fonts
def test_labels_are_those_asked_for_and_all_of_them_come_by_themselves() -> None:
    rng = np.random.default_rng(0)
    assert [identity(rng, label).label for label in range(8)] == [*range(REJECT), REJECT]
    assert {identity(rng).label for _ in range(80)} == set(range(8))


@with_fonts
def test_the_label_names_the_numeral_that_is_printed() -> None:
    """The ink of each label is nearest to the same numeral of another font."""
    numerals = [_filled(_plain().mask(face, 72)) for face in FACES[:6]]
    hits = [[_nearest(_printed(seed, label), numerals) == label for label in range(6)] for seed in range(20)]
    assert np.mean(hits, axis=0).min() >= 0.7


@with_fonts
def test_views_are_crops_of_one_print_and_the_same_from_the_same_seed() -> None:
    made = [_views(7, 5), _views(7, 5)]
    assert made[0].shape == (5, CROP, CROP, 3) and made[0].dtype == np.uint8
    assert np.array_equal(*made)
    assert all((made[0][i] != made[0][0]).any() for i in range(1, 5))


@with_fonts
@pytest.mark.parametrize("label", [1, 3, 4, 5])
def test_a_view_is_turned_and_never_mirrored(label: int) -> None:
    """Turning the plain print explains a view better than turning its mirror image does."""
    rng = np.random.default_rng(label)
    design = _plain()
    art, mask = design.face(FACES[label], 72), design.mask(FACES[label], 72)
    grey_and_ink = np.dstack([cv2.cvtColor(art, cv2.COLOR_BGR2GRAY), mask]).astype(np.float32)
    blank = design.blank(72).astype(np.uint8)
    seen = views(rng, Identity(label, art, blank, (blank, blank), grey_and_ink), 24)
    plain, mirrored = _turned(art), _turned(art[:, ::-1])
    flat = [_round(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32)).ravel() for view in seen]
    right = [(plain @ view).max() > (mirrored @ view).max() for view in flat]
    assert np.mean(right) >= 0.8


@with_fonts
def test_views_come_in_all_turns() -> None:
    art = np.full((72, 72, 3), 250, np.uint8)
    art[36:] = 20
    wanted = np.dstack([art[..., 0], art[..., 0] < 128]).astype(np.float32)
    seen = views(np.random.default_rng(1), Identity(0, art, art, (art, art), wanted), 60)
    ys, xs = np.indices((CROP, CROP)) - (CROP - 1) / 2
    near = np.hypot(ys, xs) < 14
    levels = seen.mean(3) - seen.mean(3)[:, near].mean(1)[:, None, None]
    ways = np.degrees(np.arctan2((levels * ys * near).sum((1, 2)), (levels * xs * near).sum((1, 2))))
    assert all((np.abs((ways - quarter + 180) % 360 - 180) < 45).sum() >= 5 for quarter in (0, 90, 180, 270))


@with_fonts
def test_rejects_are_crops_and_the_same_from_the_same_seed() -> None:
    made = [rejects(np.random.default_rng(3), 20) for _ in range(2)]
    assert made[0].shape == (20, CROP, CROP, 3) and made[0].dtype == np.uint8
    assert np.array_equal(*made)
    assert rejects(np.random.default_rng(3), 0).shape == (0, CROP, CROP, 3)


@with_fonts
def test_every_view_of_a_numeral_can_still_be_made_out() -> None:
    """Even where light is poor, the crop does not end flat."""
    rng = np.random.default_rng(5)
    made = [views(rng, identity(rng, int(rng.integers(7))), 3) for _ in range(40)]
    middles = np.concatenate(made)[:, 8:32, 8:32].mean(3)
    assert (middles.max((1, 2)) - middles.min((1, 2))).min() > 6


def test_half_of_the_shots_are_good_pictures() -> None:
    rng = np.random.default_rng(2)
    shots = [any_shot(rng) for _ in range(600)]
    poor = [
        shot.tilt > 7.5 or shot.worn > 0 or shot.shade > 0.5 or shot.glare or shot.veil or shot.overexposed
        or shot.sheen > 0.25 or shot.dim < 1 or shot.tint > 0.08 or shot.defocus > 0 or shot.moved > 0
        or shot.through < 30 or shot.noise > 4.5 or (shot.jpeg or 100) < 70 or (shot.shadow or 1) < 0.3
        for shot in shots
    ]  # fmt: skip
    assert 0.4 < np.mean(poor) < 0.55
    assert all(
        shot.tilt <= 20 and shot.worn <= 0.25 and shot.dim >= 0.1 and shot.defocus <= 3 for shot in shots
    )
    assert all(22 <= shot.through <= CROP and shot.moved <= 5 for shot in shots)


def test_textures_are_the_same_every_time_and_reach_into_a_patch() -> None:
    first = textures.texture(6).copy()
    textures.texture.cache_clear()
    assert np.array_equal(first, textures.texture(6))
    assert textures.patch(np.random.default_rng(0), 60).shape == (60, 60, 3)


def _plain() -> Design:
    font = next(path for path in fonts.fonts() if path.name == "DejaVuSans-Bold.ttf")
    return Design(font, 0, (235.0,) * 3, ((15.0,) * 3,) * len(FACES), tall=0.7)


def _views(seed: int, count: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return views(rng, identity(rng, 2), count)


def _printed(seed: int, label: int) -> np.ndarray:
    font = random_design(np.random.default_rng(seed)).font
    return _filled(replace(_plain(), font=font).mask(FACES[label], 72))


def _filled(mask: np.ndarray) -> np.ndarray:
    x, y, wide, tall = cv2.boundingRect((mask > 0.3).astype(np.uint8))
    box = np.zeros((30, 30), np.float32)
    across = max(3, min(30, round(30 * wide / tall)))
    left = (30 - across) // 2
    box[:, left : left + across] = cv2.resize(mask[y : y + tall, x : x + wide], (across, 30))
    flat = cv2.GaussianBlur(box, (0, 0), 1.5)
    return (flat - flat.mean()) / flat.std()


def _nearest(mask: np.ndarray, others: list[np.ndarray]) -> int:
    return int(np.argmax([(mask * other).mean() for other in others]))


def _turned(art: np.ndarray) -> np.ndarray:
    """A print in many turns and a few places, as crops: (n, CROP * CROP)."""
    small = cv2.resize(cv2.cvtColor(art, cv2.COLOR_BGR2GRAY), (CROP, CROP), interpolation=cv2.INTER_AREA)
    found = []
    for turn in range(0, 360, 8):
        move = cv2.getRotationMatrix2D(((CROP - 1) / 2,) * 2, turn, 1.0)
        for dx, dy in ((0, 0), (-2, 0), (2, 0), (0, -2), (0, 2)):
            shifted = move + np.array([[0, 0, dx], [0, 0, dy]])
            turned = cv2.warpAffine(small, shifted, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE)
            found.append(_round(turned.astype(np.float32)).ravel())
    return np.array(found)


def _round(picture: np.ndarray) -> np.ndarray:
    local = picture - cv2.blur(picture, (15, 15))
    local *= cv2.circle(np.zeros((CROP, CROP), np.float32), (CROP // 2,) * 2, 14, (1.0,), -1)
    return local / max(float(local.std()), 1e-6)
