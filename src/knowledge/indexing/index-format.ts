/**
 * Of an index block's bytes, and of how words become terms: a change has every block made anew. By itself, so that
 * who asks for it does not load the detection of languages, tens of megabytes.
 */
export const INDEX_FORMAT = 2;
