"""The rules and their reasons, in German: in the words of the German rules, in sentences of our own."""

WORDS: dict[str, str] = {
    # Why: a fall.
    "why_discard_one": (
        "{name} hat {faces} gewürfelt, und {matching} liegt in der eigenen Reihe: Diese Karte muss weg."
    ),
    "why_discard": (
        "{name} hat {faces} gewürfelt, und {matching} liegt in der eigenen Reihe: Mindestens eine davon "
        "muss weg."
    ),
    "why_at_most_1": "Nur ein Würfel zeigt {face}. {name} hat {held} solche Karten, eine davon darf weg.",
    "why_at_most_2": "Zwei Würfel zeigen {face}. {name} hat {held} solche Karten, zwei davon dürfen weg.",
    "why_take_one": (
        "{name} hat {faces} gewürfelt und nichts davon vor sich liegen. In der Lama-Reihe liegt {there}, "
        "also muss diese Karte genommen werden."
    ),
    "why_take": (
        "{name} hat {faces} gewürfelt und nichts davon vor sich liegen. In der Lama-Reihe liegt {there}, "
        "also muss eine davon genommen werden."
    ),
    "why_blown": (
        "{name} hat {faces} gewürfelt: Nichts davon liegt in der eigenen Reihe, und nichts davon liegt "
        "noch in der Lama-Reihe. Also geht sie ganz an {name}."
    ),
    "why_blown_alone": (
        "{name} hat {faces} gewürfelt und nichts davon vor sich liegen. In der Lama-Reihe liegt zwar "
        "{there}, aber das hilft nur, solange andere mitspielen. Allein muss man die ganze Lama-Reihe "
        "nehmen."
    ),
    "why_three_llamas": "Drei Lamas gehen vor allem anderen: {name} wirft nichts ab und nimmt nichts.",
    "why_may_return": "{name} hat Chips und darf für drei Lamas einen abgeben.",
    "why_no_tokens": "{name} hat keine Chips, also gibt es nichts abzugeben.",
    # Why: the end of a round.
    "why_ended_emptied": "Die Runde ist zu Ende, weil {name} keine Karten mehr hat.",
    "why_ended_blown": "Die Runde ist zu Ende, weil {name} die ganze Lama-Reihe genommen hat.",
    "why_ended_row_empty": (
        "Die Runde ist zu Ende, weil {name} die letzte Karte der Lama-Reihe genommen hat: {faces}. Sie "
        "zählt mit."
    ),
    "why_ended_all_quit": "Die Runde ist zu Ende, weil alle gepasst haben.",
    "why_points_all": "{name} hat {faces}. Das macht {count}: {tokens}.",
    "why_points_once": (
        "{name} hat {faces}, und {many} mehrfach. Jeder Wert zählt einmal. Das macht {count}: {tokens}."
    ),
    "why_no_points": "{name} hat keine Karten mehr und nimmt keine Chips.",
    "why_emptied_return": (
        "{name} hat die letzte Karte abgeworfen und darf einen Chip abgeben, nachdem alle ihre Punkte "
        "genommen haben."
    ),
    # Why: what is awaited now.
    "why_begins_chosen": "{name} beginnt die erste Runde: So wurde es am Anfang gewählt.",
    "why_begins_acted": "{name} war zuletzt dran und beginnt. Würfeln zählt, und Passen auch.",
    "why_begins_played": "{name} hat die letzte Karte gespielt und beginnt.",
    "why_begins_again": "{name} beginnt noch einmal, weil niemand eine Karte gespielt hat.",
    "why_no_quit": "{name} hat gewürfelt. Passen kann man statt zu würfeln, nicht danach.",
    "why_out_one": "{names} hat gepasst und ist bis zur nächsten Runde raus.",
    "why_out_many": "{names} haben gepasst und sind bis zur nächsten Runde raus.",
    "why_alone": (
        "{name} ist allein übrig und darf würfeln oder passen. Passt kein Würfel zur eigenen Reihe, geht "
        "jetzt die ganze Lama-Reihe mit, auch wenn dort eine Karte passen würde."
    ),
    "why_alone_no_draw": "{name} ist allein übrig und darf nicht mehr ziehen.",
    "why_no_draw": "Der Nachziehstapel ist leer. Die Runde geht ohne Ziehen weiter.",
    "why_over": "Das Spiel ist zu Ende, weil {name} {count} Punkte hat. Bei {limit} ist Schluss.",
    "why_won_one": "{names} hat die wenigsten Punkte ({count}) und gewinnt.",
    "why_won_many": "{names} haben die wenigsten Punkte (je {count}) und gewinnen gemeinsam.",
    # The rules, section by section.
    "rules_goal": "Worum es geht",
    "rules_goal_1": (
        "Werdet eure Karten los. Was am Ende einer Runde noch vor euch liegt, kostet Minuspunkte. Hat "
        "jemand 40 davon, gewinnt, wer die wenigsten hat."
    ),
    "rules_pieces": "Auf dem Tisch",
    "rules_pieces_1": (
        "Sieben Karten mit dunkler Rückseite, von jedem Wert eine, liegen offen in der Mitte: die "
        "Lama-Reihe. Alle haben dazu sechs Karten offen vor sich. Es gibt die Zahlen 1 bis 6 und das Lama."
    ),
    "rules_pieces_2": (
        "Jeder Würfel hat zwei Lamas und vier Zahlen, und jede Zahl ist auf zwei der drei Würfel. Darum "
        "kommen Lamas dreimal so oft wie jede einzelne Zahl."
    ),
    "rules_turn": "Wer am Zug ist",
    "rules_turn_1": (
        "Würfle einmal mit allen drei Würfeln, oder passe und steig aus. Dann geht es im Uhrzeigersinn "
        "weiter. Wer gewürfelt hat, kann in diesem Zug nicht mehr passen."
    ),
    "rules_match": "Ein Würfel zeigt einen deiner Werte",
    "rules_match_1": (
        "Wirf mindestens eine Karte ab, die die Würfel zeigen. Mehr ist freiwillig, aber von jedem Wert "
        "höchstens so viele Karten, wie Würfel ihn zeigen."
    ),
    "rules_take": "Kein Würfel zeigt einen deiner Werte",
    "rules_take_1": (
        "Nimm aus der Lama-Reihe eine Karte, die einer der Würfel zeigt, und leg sie zu deinen. Liegen "
        "dort mehrere, suchst du aus. War es die letzte, ist die Runde zu Ende, und die Karte zählt mit."
    ),
    "rules_blow": "Die ganze Lama-Reihe",
    "rules_blow_1": (
        "Zeigen die Würfel nichts, was vor dir liegt, und nichts, was noch in der Lama-Reihe liegt, musst "
        "du die ganze Lama-Reihe nehmen. Damit ist die Runde für alle zu Ende."
    ),
    "rules_llamas": "Drei Lamas",
    "rules_llamas_1": (
        "Sie gehen vor allem anderen. Keine Karte bewegt sich, ob du Lamas hast, keine hast oder allein "
        "bist. Wenn du Chips hast, darfst du einen abgeben."
    ),
    "rules_alone": "Alle anderen haben gepasst",
    "rules_alone_1": (
        "Du darfst allein weiterwürfeln oder auch passen. Aber jetzt ist es schwerer: Zeigen die Würfel "
        "keinen deiner Werte, nimmst du die ganze Lama-Reihe, auch wenn dort eine Karte passen würde."
    ),
    "rules_quit": "Passen",
    "rules_quit_1": (
        "Passe statt zu würfeln und dreh deine Karten um. Die anderen spielen ohne dich weiter, in der "
        "nächsten Runde bist du wieder dabei. Deine Karten zählen am Ende der Runde."
    ),
    "rules_end": "Das Ende einer Runde",
    "rules_end_1": (
        "Die Runde endet sofort, wenn jemand die letzte eigene Karte abgeworfen hat, wenn jemand die ganze "
        "Lama-Reihe nehmen musste, wenn die letzte Karte der Lama-Reihe genommen ist oder wenn alle "
        "gepasst haben."
    ),
    "rules_scoring": "Minuspunkte",
    "rules_scoring_1": (
        "Jeder Wert vor dir zählt einmal, egal wie viele Karten du davon hast. Zahlen zählen ihren Wert, "
        "Lamas zählen zehn. Mit 1, 5, 5 und 6 bekommst du 12 Minuspunkte."
    ),
    "rules_scoring_2": (
        "Nimm für jeden vollen Zehner einen schwarzen Chip und für den Rest weiße. Zehn weiße könnt ihr "
        "jederzeit in einen schwarzen tauschen."
    ),
    "rules_return": "Einen Chip abgeben",
    "rules_return_1": (
        "Wer alle eigenen Karten abgeworfen hat, darf nach dem Verteilen der Minuspunkte einen Chip "
        "abgeben. Bei drei Lamas geht das mitten in der Runde. Wer einen schwarzen hat, darf den nehmen: "
        "Das sind zehn Punkte."
    ),
    "rules_next": "Die nächste Runde",
    "rules_next_1": (
        "Die Lama-Reihe liegt wieder vollständig da, alle anderen Karten werden neu ausgeteilt. Es "
        "beginnt, wer zuletzt etwas getan hat: Würfeln zählt, und Passen auch."
    ),
    "rules_over": "Das Ende der Partie",
    "rules_over_1": (
        "Hat nach einer Runde jemand 40 Minuspunkte oder mehr, ist das Spiel zu Ende. Wer die wenigsten "
        "hat, gewinnt. Bei Gleichstand gewinnt ihr gemeinsam."
    ),
    "rules_leaning": "Ein schräger Würfel",
    "rules_leaning_all": (
        "Steht ein Würfel schräg oder liegt er neben der Schale, werden alle drei noch einmal geworfen. So "
        "ist es an diesem Tisch eingestellt."
    ),
    "rules_leaning_one": (
        "Steht ein Würfel schräg oder liegt er neben der Schale, wird nur dieser noch einmal geworfen. So "
        "ist es an diesem Tisch eingestellt."
    ),
    "rules_wrong": "Wenn ich falsch gelesen habe",
    "rules_wrong_1": (
        "Haltet zwei Knöpfe zugleich: Der letzte Wurf kommt mit seinem Bild zurück, und ihr könnt sagen, "
        "was die Würfel gezeigt haben. Alles danach wird neu berechnet."
    ),
    "rules_cards": "Das Kartenspiel",
    "rules_cards_1": (
        "Die Karten sind verdeckt. Spiel eine Karte mit dem Wert, der oben liegt, oder mit dem "
        "nächsthöheren. Nach der 6 kommt das Lama, nach dem Lama die 1. Oder zieh eine Karte, oder passe."
    ),
    "rules_cards_2": (
        "Wer allein übrig ist, spielt weiter, darf aber nicht ziehen, und niemand darf es, wenn der Stapel "
        "leer ist. Wer die letzte Karte gespielt hat, beginnt die nächste Runde. Punkte gibt es wie bei "
        "den Würfeln."
    ),
}
