import '../talk/talk.css';
import { useEffect, useRef } from 'preact/hooks';
import { leaveIfRefused, useClient } from '../session.ts';
import { CallApi } from '../talk/call-api.ts';
import { CallView } from '../talk/call-view.js';
import { Notice } from '../talk/notice.js';
import { useLoad } from '../use-load.ts';
import { useTitle } from '../use-title.ts';

/** A call from this page. What changes many times a second is drawn by hand; the frame around it never changes. */
export function Talk() {
  useTitle('Talk');
  const client = useClient();
  const assistants = useLoad((signal) => client.call('listAssistants', { signal }), [client]);
  const view = useRef<CallView>(null);
  useEffect(() => {
    const current = new CallView(new Notice(), leaveIfRefused);
    view.current = current;
    return () => current.dispose();
  }, []);
  useEffect(() => {
    if (assistants.data) view.current?.show(new CallApi(client), assistants.data);
  }, [assistants.data]);
  return (
    <>
      <h1 id="page-title" class="visually-hidden" tabIndex={-1}>
        Talk
      </h1>
      <div id="workspace" class="workspace" data-phase="idle">
        <section class="stage" aria-label="Call">
          <dl class="states">
            <div class="state user">
              <dt>You</dt>
              <dd id="user-state">–</dd>
            </div>
            <div class="state assistant">
              <dt>Assistant</dt>
              <dd id="assistant-state">–</dd>
            </div>
          </dl>
          <div class="score-frame" aria-hidden="true">
            <canvas id="score" class="score" />
          </div>
        </section>

        <div class="conversation">
          <h2 id="conversation-title">Conversation</h2>

          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
          <section id="script" class="script" tabIndex={0} aria-labelledby="conversation-title">
            <div role="log" aria-live="polite">
              <ol id="transcript" class="transcript"></ol>
            </div>
            <p id="transcript-empty" class="empty">
              Press Call and speak. What you say and what you hear appears here.
            </p>
          </section>
        </div>

        <section class="timing" aria-labelledby="timing-title">
          <h2 id="timing-title">
            Time to answer <span id="turns-median" class="median"></span>
          </h2>
          <div class="turns-scroll">
            <ol id="turns" class="turns"></ol>
            <p id="turns-empty" class="empty">
              From the end of your words to the first sound of the answer, turn by turn.
            </p>
          </div>
          <p class="key" aria-hidden="true">
            <span class="swatch endpointMs"></span>turn end <span class="swatch modelMs"></span>
            model
            <span class="swatch voiceMs"></span>voice <span class="swatch heard"></span>until heard
          </p>
        </section>

        <section class="controls" aria-label="Controls">
          <div class="choose">
            <label for="assistant">Assistant</label>
            <select id="assistant" class="input"></select>
          </div>
          <p class="status">
            <span id="status" role="status">
              Ready to call
            </span>
            <span id="duration" class="duration">
              0:00
            </span>
          </p>
          <div class="buttons">
            <button
              type="button"
              id="mute"
              class="button secondary"
              aria-pressed="false"
              aria-keyshortcuts="m"
              disabled
            >
              <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
                <path d="M10 2.5a2.5 2.5 0 0 0-2.5 2.5v5a2.5 2.5 0 0 0 5 0V5A2.5 2.5 0 0 0 10 2.5Z" />
                <path class="stroke" d="M4.5 9.5a5.5 5.5 0 0 0 11 0M10 15v2.5" />
                <path class="stroke slash" d="M3.5 3.5l13 13" />
              </svg>
              <span>Mute</span>
            </button>
            <button type="button" id="call" class="button primary" data-does="call">
              <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
                <path
                  class="handset"
                  d="M3.6 4.1 5.4 2.8c.5-.4 1.200-.3 1.600.2l1.700 2.300c.4.5.3 1.200-.2 1.600l-.9.8c.7 1.600 2.100 3 3.700 3.700l.8-.9c.4-.5 1.100-.6 1.600-.2l2.300 1.700c.5.4.6 1.100.2 1.600l-1.300 1.800c-.5.7-1.400 1-2.200.8C7.900 15 5 12.100 2.900 6.300c-.2-.8.1-1.700.7-2.200Z"
                />
              </svg>
              <span class="label">Call</span>
            </button>
          </div>
        </section>
      </div>
      <div id="notice" class="notice" role="alert">
        <div>
          <strong id="notice-title"></strong>
          <span id="notice-text"></span>
        </div>
        <button
          type="button"
          id="notice-close"
          class="button quiet small"
          aria-label="Close this message"
        >
          Close
        </button>
      </div>
    </>
  );
}
