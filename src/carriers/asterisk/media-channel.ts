const PREFIX = 'media';

/** The id of a caller's media channel; each attempt has a media channel of its own. */
export function mediaChannelId(carrierCallId: string, attempt: number): string {
  return `${PREFIX}.${attempt}.${carrierCallId}`;
}

const MEDIA_CHANNEL = /^media\.(\d+)\.(.+)$/;

/** The id of the caller's channel that a media channel belongs to; undefined for any other channel. */
export function callOfMediaChannel(channelId: string): string | undefined {
  return MEDIA_CHANNEL.exec(channelId)?.[2];
}

/** The number of a media channel among those of its call. */
export function attemptOfMediaChannel(channelId: string): number {
  return Number(MEDIA_CHANNEL.exec(channelId)?.[1]);
}
