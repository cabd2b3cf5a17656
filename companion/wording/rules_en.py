"""The rules and their reasons, in English: as in AMIGO's rule book, in sentences of our own."""

WORDS: dict[str, str] = {
    # Why: a fall.
    "why_discard_one": "{name} rolled {faces} and has {matching} in the row: that card has to go.",
    "why_discard": "{name} rolled {faces} and has {matching} in the row: at least one of those has to go.",
    "why_at_most_1": "Only one die shows {face}. {name} has {held} such cards, and one may go.",
    "why_at_most_2": "Two dice show {face}. {name} has {held} such cards, and two may go.",
    "why_take_one": (
        "{name} rolled {faces} and has none of them. The llama row has {there}, so that card must be taken."
    ),
    "why_take": (
        "{name} rolled {faces} and has none of them. The llama row has {there}, so one of those must be "
        "taken."
    ),
    "why_blown": (
        "{name} rolled {faces}: none is in the row, and none is left in the llama row. So all of it is "
        "{name}'s."
    ),
    "why_blown_alone": (
        "{name} rolled {faces} and has none of them. The llama row has {there}, but that only helps while "
        "others are still in. Alone, the whole llama row has to be taken."
    ),
    "why_three_llamas": (
        "Three llamas come before everything else: {name} discards nothing and takes nothing."
    ),
    "why_may_return": "{name} has tokens and may give one back for three llamas.",
    "why_no_tokens": "{name} has no tokens, so there is nothing to give back.",
    # Why: the end of a round.
    "why_ended_emptied": "The round is over because {name} has no cards left.",
    "why_ended_blown": "The round is over because {name} took the whole llama row.",
    "why_ended_row_empty": (
        "The round is over because {name} took the last card of the llama row: {faces}. It counts."
    ),
    "why_ended_all_quit": "The round is over because everybody has quit.",
    "why_points_all": "{name} has {faces}. That makes {count}: {tokens}.",
    "why_points_once": (
        "{name} has {faces}, and {many} more than once. Each value counts once. That makes {count}: {tokens}."
    ),
    "why_no_points": "{name} has no cards left and takes no tokens.",
    "why_emptied_return": (
        "{name} discarded the last card and may give back a token, after the points are taken."
    ),
    # Why: what is awaited now.
    "why_begins_chosen": "{name} begins the first round: that was chosen at the start.",
    "why_begins_acted": "{name} was the last to act and begins. Rolling counts, and so does quitting.",
    "why_begins_played": "{name} played the last card and begins.",
    "why_begins_again": "{name} begins again because nobody played a card.",
    "why_no_quit": "{name} has rolled. You quit instead of rolling, not afterwards.",
    "why_out_one": "{names} has quit and is out until the next round.",
    "why_out_many": "{names} have quit and are out until the next round.",
    "why_alone": (
        "{name} is the last one in and may roll or quit. A roll without a match takes the whole llama row "
        "now, even if a card there would fit."
    ),
    "why_alone_no_draw": "{name} is the last one in and may not draw any more.",
    "why_no_draw": "The draw pile is empty. The round goes on without drawing.",
    "why_over": "The game is over because {name} has {count} points, and it ends at {limit}.",
    "why_won_one": "{names} has the fewest points ({count}) and wins.",
    "why_won_many": "{names} have the fewest points ({count} each) and win together.",
    # The rules, section by section.
    "rules_goal": "What it is about",
    "rules_goal_1": (
        "Get rid of your cards. What still lies in your row when a round ends costs you points, and when "
        "somebody has 40 of them, whoever has the fewest wins."
    ),
    "rules_pieces": "On the table",
    "rules_pieces_1": (
        "Seven cards with a black back, one of each value, lie face up in the middle: the llama row. "
        "Everybody has a row of six more cards. There are the numbers 1 to 6 and the llama."
    ),
    "rules_pieces_2": (
        "Each die has two llamas and four numbers, and each number is on two of the three dice. So llamas "
        "come three times as often as any one number."
    ),
    "rules_turn": "Your turn",
    "rules_turn_1": (
        "Roll all three dice once, or quit the round. Then it is the next player's turn, clockwise. Once "
        "you have rolled you can no longer quit in that turn."
    ),
    "rules_match": "A die shows one of your values",
    "rules_match_1": (
        "Discard at least one card that the dice show. More is up to you, but of each value no more cards "
        "than there are dice that show it."
    ),
    "rules_take": "No die shows one of your values",
    "rules_take_1": (
        "Take a card from the llama row that one of the dice shows, and put it in your row. If several are "
        "there, you choose. If it was the last one, the round is over, and the card counts."
    ),
    "rules_blow": "Blowing it",
    "rules_blow_1": (
        "If the dice show nothing of your row and nothing that is left in the llama row, you have blown "
        "it: the whole llama row is yours, and the round is over for everybody."
    ),
    "rules_llamas": "Three llamas",
    "rules_llamas_1": (
        "They come before everything else. No card moves, even if you have llamas, have none, or are "
        "alone. If you have tokens you may give one back."
    ),
    "rules_alone": "All others have quit",
    "rules_alone_1": (
        "You may go on rolling by yourself, or quit too. But it is harder now: if the dice show none of "
        "your values you have blown it, even if they show a card of the llama row."
    ),
    "rules_quit": "Quitting",
    "rules_quit_1": (
        "Quit instead of rolling, and turn your cards over. The others play on without you, and you are "
        "back in the next round. Your cards count when the round ends."
    ),
    "rules_end": "The end of a round",
    "rules_end_1": (
        "The round ends at once when somebody has discarded the last card of their row, when somebody has "
        "blown it, when the last card of the llama row is taken, or when all have quit."
    ),
    "rules_scoring": "Points",
    "rules_scoring_1": (
        "Each value in your row counts once, however many cards of it you have. A number is worth itself, "
        "llamas are worth ten. With 1, 5, 5 and 6 you get 12 points."
    ),
    "rules_scoring_2": (
        "Take a black token for each full ten and white ones for the rest. Ten white tokens can be swapped "
        "for a black one at any time."
    ),
    "rules_return": "Giving back a token",
    "rules_return_1": (
        "Whoever has discarded all their cards may give back one token, after the points of the round are "
        "taken. Three llamas allow it during the round. It may be a black one if you have one: that is ten "
        "points."
    ),
    "rules_next": "The next round",
    "rules_next_1": (
        "There is a new llama row, and all other cards are dealt again. The last player to do something "
        "begins: rolling counts, and so does quitting."
    ),
    "rules_over": "The end of the game",
    "rules_over_1": (
        "With 40 points or more in front of anybody after a round the game is over. Fewest points win. A "
        "tie is a shared victory."
    ),
    "rules_leaning": "A leaning die",
    "rules_leaning_all": (
        "If a die leans or lies beside the tray, all three are thrown again. That is how this table has it."
    ),
    "rules_leaning_one": (
        "If a die leans or lies beside the tray, only that one is thrown again. That is how this table has "
        "it."
    ),
    "rules_wrong": "If I read it wrong",
    "rules_wrong_1": (
        "Hold two buttons together: the last throw comes back with its picture, and you can say what the "
        "dice showed. Everything after it is worked out again."
    ),
    "rules_cards": "The card game",
    "rules_cards_1": (
        "Hands are hidden. Play a card of the value on top or the next one up, where the llama follows the "
        "6 and the 1 follows the llama. Or draw a card, or quit."
    ),
    "rules_cards_2": (
        "The last one in plays on but may not draw, and nobody may once the pile is empty. Whoever played "
        "the last card begins the next round. Points are as with the dice."
    ),
}
