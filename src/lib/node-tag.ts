const HINTED = /~([0-9a-f-]{36})$/;
const TAGGED = /\.([0-9a-f-]{36})$/;

/** Adds to a token or id the node that must handle it. */
export function withNodeTag(text: string, nodeId: string): string {
  return `${text}.${nodeId}`;
}

/** The node that must handle a token or id; undefined if any node may. */
export function nodeTagOf(text: string): string | undefined {
  return TAGGED.exec(text)?.[1];
}

/** Adds to a token the node that has room for its call; any node may handle it. */
export function withNodeHint(text: string, nodeId: string): string {
  return `${text}~${nodeId}`;
}

/** The node that has room for the token's call, if one was added. */
export function nodeHintOf(text: string): string | undefined {
  return HINTED.exec(text)?.[1];
}
