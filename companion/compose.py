"""Everything there is to show, put together from where the evening is and what is said. Pure."""

from __future__ import annotations

from companion.dispute import hold_prompt
from companion.game import Game
from companion.host import Host
from companion.news import News
from companion.odds import odds
from companion.update import SCORED, Dispute, Odds, Scene, Update
from companion.view import actors, lamps, prompts

_ROLLING = (Scene.TURN, Scene.FALL)


def composed(number: int, host: Host, news: News, dispute: Dispute | None, blind: bool) -> Update:
    """Compose the update of this number; a fall shown again lies over the game.

    ``blind``: no camera looks into the tray.
    """
    game, tray = host.game, host.tray
    scene = Scene.DISPUTE if dispute else host.scene
    table = game.table if game else None
    entry = game.entry if game and scene is Scene.DEAL else None
    press, hold = prompts(scene, tray.waiting is not None, tray.acceptable, entry, blind, tray.clear)
    acting = actors(host.scene if dispute and dispute.told else scene, table.awaits if table else None, entry)
    buttons = game.journal.buttons if game else host.lobby.joined
    return Update(
        number=number,
        scene=scene,
        names=tuple(seat.name for seat in table.seats) if table else host.lobby.seats,
        buttons=buttons,
        actors=acting,
        table=table,
        press=press,
        hold=hold_prompt(dispute) if dispute else hold,
        notice=news.notice,
        lamps=lamps(scene, buttons, acting, scene is Scene.FALL and tray.waiting is not None),
        flash=news.flash,
        motion=None if blind else tray.motion,
        seen=tray.shown,
        choices=table.awaits.choices if table and scene is Scene.CHOICE else (),
        chosen=game.chosen if game else 0,
        entry=entry,
        scored=game.scored if game and host.scene in SCORED else (),
        events=news.events,
        look_again=news.look_again,
        house=host.house,
        dispute=dispute,
        odds=_odds(host, game),
        path=game.journal.path if game else None,
        lines=game.journal.lines if game else 0,
        fell=game.fell if game else None,
        fixed=host.fixed,
        deals=host.deals,
    )


def _odds(host: Host, game: Game | None) -> Odds | None:
    shown = game and host.house.odds and host.scene in _ROLLING
    return odds(game.table, host.dice) if game and shown else None
