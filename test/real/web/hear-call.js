// Runs in the page before its own scripts: keeps the statistics that were sent, and how loud the loudspeaker was, in
// steps of 10 ms.
window.heardCall = { stats: undefined, levels: [] };

const RealWebSocket = window.WebSocket;
window.WebSocket = class extends RealWebSocket {
  send(data) {
    if (typeof data === 'string' && data.includes('"stats"')) {
      window.heardCall.stats = JSON.parse(data);
    }
    super.send(data);
  }
};

const TAP = `
  const step = Math.round(sampleRate / 100);
  registerProcessor('level-tap', class extends AudioWorkletProcessor {
    sum = 0; count = 0; levels = [];
    process([[samples]]) {
      for (let i = 0; i < 128; i++) {
        this.sum += (samples?.[i] ?? 0) ** 2;
        if (++this.count < step) continue;
        this.levels.push(Math.sqrt(this.sum / step));
        this.sum = this.count = 0;
      }
      if (this.levels.length >= 50) this.port.postMessage(this.levels.splice(0));
      return true;
    }
  });`;
const tapUrl = URL.createObjectURL(new Blob([TAP], { type: 'text/javascript' }));
const { connect } = AudioNode.prototype;
AudioNode.prototype.connect = function (...args) {
  if (args[0] instanceof AudioDestinationNode) {
    const { context } = this;
    context.audioWorklet.addModule(tapUrl).then(() => {
      const tap = new AudioWorkletNode(context, 'level-tap', {
        channelCount: 1,
        channelCountMode: 'explicit',
      });
      tap.port.onmessage = ({ data }) => window.heardCall.levels.push(...data);
      connect.call(this, tap);
    });
  }
  return connect.apply(this, args);
};
