# verdict: exception
# event: nsoc
# reason: play
# Calls a number play.
play = 7
