/** Shows that a request comes from a node of the same database, which alone can read it there. */
export const SECRET_HEADER = 'x-parley-node';
/** How long the one who asks will wait, ms. */
export const TIMEOUT_HEADER = 'x-parley-timeout';
/** The address that a socket which is passed on came from. */
export const ADDRESS_HEADER = 'x-parley-address';
