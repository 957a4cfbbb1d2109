// Runs in the page before its own scripts: listens at the loudspeaker's cable, and watches for shifts of layout.
window.loudspeaker = () => 0;
window.layoutShift = 0;

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.layoutShift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });

const { connect } = AudioNode.prototype;
AudioNode.prototype.connect = function (...args) {
  if (args[0] instanceof AudioDestinationNode) {
    const analyser = new AnalyserNode(this.context, { fftSize: 512 });
    const samples = new Float32Array(analyser.fftSize);
    connect.call(this, analyser);
    window.loudspeaker = () => {
      analyser.getFloatTimeDomainData(samples);
      return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    };
  }
  return connect.apply(this, args);
};
