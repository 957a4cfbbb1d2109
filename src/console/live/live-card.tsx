import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { CallSummary } from '../../client/api.generated.ts';
import { Alerts } from '../calls/alerts.tsx';
import { callerName, channelName } from '../calls/call-names.ts';
import { CallLength, CallState } from '../calls/calls-columns.tsx';
import { ListenIn } from '../calls/listen-in.ts';
import { LiveFeed } from '../calls/live-feed.ts';
import { SupervisePanel } from '../calls/supervise-panel.tsx';
import { may, useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { faultText } from '../ui/fault-text.ts';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { recentAlerts } from './urgency.ts';

interface LiveCardProps {
  readonly call: CallSummary;
  readonly assistantName: string | undefined;
}

/** One live call on the wall. */
export function LiveCard({ call, assistantName }: LiveCardProps) {
  const [supervised, setSupervised] = useState(false);
  const title = `live-${call.id}`;
  return (
    <li
      class="live-card card"
      aria-labelledby={title}
      data-alert={recentAlerts(call, Date.now()).length > 0 || undefined}
    >
      <div class="live-card-head">
        <h2 id={title}>
          <Link href={`/calls/${call.id}`}>{callerName(call)}</Link>
        </h2>
        <span class="numeric">
          <CallLength call={call} />
        </span>
      </div>
      <p class="soft live-card-line">
        {channelName(call)}
        {assistantName !== undefined && ` with ${assistantName}`}
      </p>
      <div class="live-card-line">
        <CallState call={call} /> {call.alerts && <Alerts alerts={call.alerts} />}
      </div>
      <div class="row">
        <Listen call={call} />
        {may('builder') && (
          <Button small onClick={() => setSupervised(true)}>
            Supervise …
          </Button>
        )}
      </div>
      {supervised && <Supervised call={call} onClose={() => setSupervised(false)} />}
    </li>
  );
}

/** Plays the call; the connection for it is there only meanwhile. */
function Listen({ call }: { readonly call: CallSummary }) {
  const client = useClient();
  const [listening, setListening] = useState<{ stop(): void }>();
  useEffect(() => () => listening?.stop(), [listening]);
  const toggle = useAction(async () => {
    if (listening) {
      setListening(undefined);
      return;
    }
    const feed = new LiveFeed(client, call.id);
    const ears = new ListenIn(feed);
    await ears.start();
    setListening({
      stop() {
        void ears.stop();
        feed.close();
      },
    });
  });
  return (
    <>
      <Button
        small
        icon={listening ? 'pause' : 'ear'}
        aria-pressed={listening !== undefined}
        disabled={call.status === 'queued'}
        onClick={() => void toggle.run()}
      >
        {listening ? 'Stop listening' : 'Listen in'}
      </Button>
      {toggle.error !== undefined && (
        <span class="field-fault" role="alert">
          {faultText(toggle.error)}
        </span>
      )}
    </>
  );
}

interface SupervisedProps {
  readonly call: CallSummary;
  readonly onClose: () => void;
}

function Supervised({ call, onClose }: SupervisedProps) {
  const client = useClient();
  const [feed, setFeed] = useState<LiveFeed>();
  useEffect(() => {
    const own = new LiveFeed(client, call.id);
    setFeed(own);
    return () => own.close();
  }, [client, call.id]);
  // Reads it, so that what the log tells of mutes is shown.
  void feed?.version.value;
  const muted = feed?.timeline.muted ?? { user: false, assistant: false };
  const [speaking, setSpeaking] = useState(false);
  const close = (): void => {
    if (speaking) showToast('Give the call back first.', 'bad');
    else onClose();
  };
  return (
    <Dialog title={callerName(call)} shape="drawer" onClose={close}>
      <SupervisePanel call={call} muted={muted} onSpeaking={setSpeaking} />
    </Dialog>
  );
}
