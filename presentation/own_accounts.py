"""A person's accounts on several platforms, as they alone see them."""

from play.ids import Millis, UserId, platform_of
from presentation.match.phrases import rating_text
from presentation.words.words import Words
from use_cases.own_accounts import OwnAccount


def platform_name(user: UserId, words: Words) -> str:
    """Returns what the platform of an account is called."""
    return words(f"platform.{platform_of(user).name.lower()}")


def account_lines(account: OwnAccount, now: Millis, words: Words) -> list[str]:
    """Returns the results of an account on another platform, and its ratings."""
    tally = words("tally", won=account.tally.won, drawn=account.tally.drawn, lost=account.tally.lost)
    return [
        words("profile.own", platform=platform_name(account.user, words), tally=tally),
        *(
            words(
                "profile.rating",
                pool=words(f"pool.{pool}"),
                rating=rating_text(leader.rating.at_time(now)),
                count=leader.games,
                place=0,
            )
            for pool, leader in account.ratings.items()
        ),
    ]
