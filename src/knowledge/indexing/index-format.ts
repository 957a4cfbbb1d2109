/**
 * Version of the index block's bytes and of the rules that turn words into terms; a change rebuilds every block. In a
 * file of its own, since importing the other code loads language detection, tens of megabytes.
 */
export const INDEX_FORMAT = 2;
