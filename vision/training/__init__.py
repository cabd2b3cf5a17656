"""Making pictures of dice faces to train the face reader with; needed to train it, never to play."""
