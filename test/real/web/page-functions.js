/** Run in the page. */

/**
 * Asks the service, whose network only the page can reach.
 * @param {readonly [method: string, url: string, key: string, body: unknown]} request
 */
export const callApi = async ([method, url, key, body]) => {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
};

/** @param {string} text */
export const said = (text) =>
  [...document.querySelectorAll('.line.user:not(.interim) .said')].some((line) =>
    line.textContent?.includes(text),
  );

export const readHeard = () => window.heardCall;

/**
 * How loud the assistant was in steps of 10 ms, as the service recorded it: the second of two channels.
 * @param {readonly [url: string, key: string]} recording
 */
export const readRecordedLevels = async ([url, key]) => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const wav = await response.arrayBuffer();
  const step = new DataView(wav).getUint32(24, true) / 100;
  const samples = new Int16Array(wav.slice(44, wav.byteLength - (wav.byteLength % 4)));
  const levels = [];
  for (let at = 0; at + step <= samples.length / 2; at += step) {
    let sum = 0;
    for (let i = at; i < at + step; i++) sum += (samples[2 * i + 1] / 32768) ** 2;
    levels.push(Math.sqrt(sum / step));
  }
  return levels;
};
