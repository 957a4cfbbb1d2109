import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Lab } from './lab.ts';
import { Service, until } from './service.ts';

const CALLS = 20;

/** Calls, sends no sound, and hangs up after ten seconds. */
const SCENARIO = `<?xml version="1.0" encoding="UTF-8"?>
<scenario name="caller">
  <send retrans="500"><![CDATA[
INVITE sip:+15005550199@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: "Caller [call_number]" <sip:+1500556[call_number]@[local_ip]:[local_port]>;tag=[pid]x[call_number]
To: <sip:+15005550199@[remote_ip]:[remote_port]>
Call-ID: [call_id]
CSeq: 1 INVITE
Contact: <sip:caller@[local_ip]:[local_port]>
Max-Forwards: 70
Content-Type: application/sdp
Content-Length: [len]

v=0
o=- 1 1 IN IP4 [local_ip]
s=-
c=IN IP4 [media_ip]
t=0 0
m=audio [media_port] RTP/AVP 0
a=rtpmap:0 PCMU/8000
]]></send>
  <recv response="100" optional="true"/>
  <recv response="180" optional="true"/>
  <recv response="183" optional="true"/>
  <recv response="200" rtd="true"/>
  <send><![CDATA[
ACK sip:+15005550199@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: "Caller [call_number]" <sip:+1500556[call_number]@[local_ip]:[local_port]>;tag=[pid]x[call_number]
To: <sip:+15005550199@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: 1 ACK
Max-Forwards: 70
Content-Length: 0

]]></send>
  <pause milliseconds="10000"/>
  <send retrans="500"><![CDATA[
BYE sip:+15005550199@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: "Caller [call_number]" <sip:+1500556[call_number]@[local_ip]:[local_port]>;tag=[pid]x[call_number]
To: <sip:+15005550199@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: 2 BYE
Max-Forwards: 70
Content-Length: 0

]]></send>
  <recv response="200"/>
</scenario>
`;

test.each([
  ['one process', '1'],
  ['two processes', '2'],
])(
  '20 calls at once, %s: each is answered and welcomed, and nothing is left',
  async (_what, processes) => {
    await using lab = await Lab.start();
    await using service = await Service.start(lab, { env: { PROCESSES: processes } });
    await lab.sipp(SCENARIO, CALLS, 10);
    await until(
      'every call is over',
      async () => (await service.calls()).every(({ endAt }) => endAt !== undefined),
      30_000,
    );
    const calls = await service.calls();
    expect(calls.length).toBe(CALLS);
    expect(calls.every(({ endReason }) => endReason === 'user-hung-up')).toBe(true);
    for (const { id } of calls) {
      const { messages } = await service.read(id);
      expect(messages.filter(({ role }) => role === 'assistant').length).toBeGreaterThan(0);
    }
    await delay(500);
    expect(await lab.standing()).toEqual({ channels: 0, bridges: 0 });
  },
);

test('a service of several processes takes calls again when the one that followed Asterisk dies', async () => {
  await using lab = await Lab.start();
  await using service = await Service.start(lab, { env: { PROCESSES: '2' } });
  const before = await service.calls();
  await service.killFollower();
  await lab.call('stay');
  const { id } = await service.arrival(before);
  await until(
    'they are welcomed',
    async () => (await service.read(id)).messages.length > 0,
    30_000,
  );
  await service.control(id, { type: 'end' });
  await service.ended(id);
});
