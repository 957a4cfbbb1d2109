/** How long the asking node waits, ms. */
export const TIMEOUT_HEADER = 'x-parley-timeout';
/** The client's address of a relayed socket. */
export const ADDRESS_HEADER = 'x-parley-address';
