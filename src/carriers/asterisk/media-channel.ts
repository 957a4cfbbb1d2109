const PREFIX = 'media';

/** The id of a caller's media channel; each attempt has a media channel of its own. */
export function mediaChannelId(carrierCallId: string, attempt: number): string {
  return `${PREFIX}.${attempt}.${carrierCallId}`;
}

/** The id of the caller's channel that a media channel belongs to; undefined for any other channel. */
export function callOfMediaChannel(channelId: string): string | undefined {
  return /^media\.\d+\.(.+)$/.exec(channelId)?.[1];
}
