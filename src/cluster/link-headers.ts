/** Proves that a request comes from a node of the same database: only those can read the secret there. */
export const SECRET_HEADER = 'x-parley-node';
/** How long the asking node waits, ms. */
export const TIMEOUT_HEADER = 'x-parley-timeout';
/** The client's address of a relayed socket. */
export const ADDRESS_HEADER = 'x-parley-address';
