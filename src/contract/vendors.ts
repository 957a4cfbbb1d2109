/** The vendors of one port that this service can use. */
export interface VendorList {
  /** Names of the registered adapters. */
  readonly names: readonly string[];
  /** Given to an assistant that names none: the first vendor with a key, else `offline`. */
  readonly defaultName: string;
  /** Primary language tags, such as `en`, of the vendors that know these and no others. */
  readonly languages?: Readonly<Record<string, readonly string[]>>;
  /** Voice names of the vendors that have these and no others. */
  readonly voices?: Readonly<Record<string, readonly string[]>>;
}

/** A vendor that an assistant names and this service cannot use as it is. */
export interface VendorProblem {
  /** The field of the assistant that names it. */
  readonly path: string;
  readonly vendor: string;
  readonly code: string;
  /** What is missing, fit to be shown. */
  readonly message: string;
  /** No call can begin; else another vendor of the assistant takes its place. */
  readonly blocks: boolean;
}

/** The vendors an assistant may name; given by the composition root, which knows the adapters and the keys. */
export interface VendorCatalogue {
  readonly llm: VendorList;
  readonly stt: VendorList;
  readonly tts: VendorList;
}
