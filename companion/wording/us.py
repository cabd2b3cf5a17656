"""What the edition sold in the US says differently: the sentences that replace those of a language."""

ENGLISH: dict[str, str] = {
    "blew_it": "Llama drama! {name} takes the whole llama row: {faces}.",
    "voice_blew_it": "Llama drama!",
    "why_blown": (
        "Llama drama: {name} rolled {faces}, which are neither in the row nor in the llama row. So all of "
        "the llama row is {name}'s."
    ),
    "why_blown_alone": (
        "{name} rolled {faces} and has none of them. The llama row has {there}, but that only helps while "
        "others are still in. Alone, it is llama drama all the same."
    ),
    "why_ended_blown": "The round is over because {name} rolled llama drama.",
    "why_alone": (
        "{name} is the last one in and may roll or quit. A roll without a match is llama drama now, even "
        "if a card of the llama row would fit."
    ),
    "rules_turn_1": (
        "Roll all three dice once, or quit the round. Then pass the dice to the next player, clockwise. "
        "Once you have rolled you can no longer quit in that turn."
    ),
    "rules_blow": "Llama drama",
    "rules_blow_1": (
        "If the dice show nothing of your row and nothing that is left in the llama row, it is llama "
        "drama: the whole llama row is yours, and the round is over for everybody."
    ),
    "rules_alone_1": (
        "You may go on rolling by yourself, or quit too. But it is harder now: if the dice show none of "
        "your values it is llama drama, even if they show a card of the llama row."
    ),
    "rules_end_1": (
        "The round ends at once when somebody has discarded the last card of their row, when somebody has "
        "rolled llama drama, when the last card of the llama row is taken, or when all have quit."
    ),
}

GERMAN: dict[str, str] = {
    "voice_blew_it": "Lama-Drama!",
    "blew_it": "Lama-Drama! {name} nimmt die ganze Lama-Reihe: {faces}.",
    "rules_blow": "Lama-Drama",
    "why_ended_blown": "Die Runde ist zu Ende: Lama-Drama bei {name}.",
}
