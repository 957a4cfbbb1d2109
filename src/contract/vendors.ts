/** The vendors of one port that this service can use. */
export interface VendorList {
  /** Names of the registered adapters. */
  readonly names: readonly string[];
  /** Used for assistants that name none: the first vendor with a key, else `offline`. */
  readonly defaultName: string;
  /** Primary language tags, such as `en`, of vendors with a known set of languages. */
  readonly languages?: Readonly<Record<string, readonly string[]>>;
  /** Voice names of vendors with a known set of voices. */
  readonly voices?: Readonly<Record<string, readonly string[]>>;
}

/** A vendor that an assistant names but this service cannot use at present. */
export interface VendorProblem {
  /** Path of the assistant's field that names the vendor. */
  readonly path: string;
  readonly vendor: string;
  readonly code: string;
  /** What is missing, as a text for users. */
  readonly message: string;
  /** True if no call can begin; else another vendor of the assistant takes over. */
  readonly blocks: boolean;
}

/** The vendors that assistants may name. */
export interface VendorCatalogue {
  readonly llm: VendorList;
  readonly stt: VendorList;
  readonly tts: VendorList;
}
