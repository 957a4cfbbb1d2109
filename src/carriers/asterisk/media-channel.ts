const PREFIX = 'media';

/** The id we give to the media channel of a caller's channel; a caller may have one after the other. */
export function mediaChannelId(carrierCallId: string, attempt: number): string {
  return `${PREFIX}.${attempt}.${carrierCallId}`;
}

/** The caller's channel that a media channel was made for; undefined for any other channel. */
export function callOfMediaChannel(channelId: string): string | undefined {
  return /^media\.\d+\.(.+)$/.exec(channelId)?.[1];
}
