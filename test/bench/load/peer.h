#pragma once

/* Somebody who has connected to the vendors: by HTTP, until a WebSocket is asked for. */
void peer_open(int fd);

/* Closes connections on which nothing has happened for too long. */
void peers_sweep(double now);
