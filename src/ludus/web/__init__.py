"""The server of `ludus serve`: pages, boards and sockets; the browser never knows a rule."""
