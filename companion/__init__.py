"""The table companion for L.A.M.A. Dice: what the people at the table see."""
