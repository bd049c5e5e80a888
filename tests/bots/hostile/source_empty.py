# verdict: exception
# event: nsoc
# reason: play
# Holds nothing but this comment.
