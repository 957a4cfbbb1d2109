/** The account at the carrier whose calls the callers place. */
export const ACCOUNT_SID = 'AC00000000000000000000000000000bec';
