const HINTED = /~([0-9a-f-]{36})$/;
const TAGGED = /\.([0-9a-f-]{36})$/;

/** A token or id that says which node it is for. */
export function withNodeTag(text: string, nodeId: string): string {
  return `${text}.${nodeId}`;
}

/** The node that a token or id is for; undefined: any will do. */
export function nodeTagOf(text: string): string | undefined {
  return TAGGED.exec(text)?.[1];
}

/** A token that any node may take, and one has room for. */
export function withNodeHint(text: string, nodeId: string): string {
  return `${text}~${nodeId}`;
}

/** The node that has room for whoever bears the token. */
export function nodeHintOf(text: string): string | undefined {
  return HINTED.exec(text)?.[1];
}
