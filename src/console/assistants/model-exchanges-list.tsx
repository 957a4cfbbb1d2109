import type { ModelExchange, ModelMessage } from '../talk/model-exchanges.ts';
import { clockText } from '../ui/duration.tsx';

/** What the model was sent and answered, the latest request first. */
export function ModelExchanges({ exchanges }: { readonly exchanges: readonly ModelExchange[] }) {
  return (
    <section class="exchanges" aria-labelledby="exchanges-title">
      <h3 id="exchanges-title">Model requests and responses</h3>
      {exchanges.length === 0 && <p class="soft">Each request appears here after its answer.</p>}
      <ol>
        {exchanges.toReversed().map((exchange) => (
          <li key={exchange.genId}>
            <Exchange exchange={exchange} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Exchange({ exchange }: { readonly exchange: ModelExchange }) {
  const { turn, atMs, messages, added, tools, answer, toolCalls, problem } = exchange;
  const earlier = messages.length - added.length;
  return (
    <details>
      <summary>
        {turn === 0 ? 'Opening' : `Turn ${turn}`}{' '}
        <span class="soft numeric">{clockText(atMs / 1000)}</span>{' '}
        <span class="exchange-answer">{problem ?? (answer || toolCalls[0]?.name)}</span>
      </summary>
      <h4>Sent</h4>
      {earlier > 0 && (
        <details>
          <summary>
            {earlier} earlier {earlier === 1 ? 'message' : 'messages'}
          </summary>
          <Messages messages={messages.slice(0, earlier)} />
        </details>
      )}
      <Messages messages={added} />
      {tools.length > 0 && <p class="soft">Tools: {tools.join(', ')}</p>}
      <h4>Answered</h4>
      {answer !== '' && <p class="exchange-text">{answer}</p>}
      {toolCalls.map(({ name, arguments: given }, index) => (
        <p key={index} class="exchange-text">
          <code>
            {name}({given})
          </code>
        </p>
      ))}
      {problem !== undefined && <p class="fault">{problem}</p>}
    </details>
  );
}

function Messages({ messages }: { readonly messages: readonly ModelMessage[] }) {
  return (
    <dl class="exchange-messages">
      {messages.map(({ role, content, toolCalls = [] }, index) => (
        <div key={index}>
          <dt>{role}</dt>
          <dd class="exchange-text">
            {content}
            {toolCalls.map((call) => `${call.name}(${call.arguments})`).join('\n')}
          </dd>
        </div>
      ))}
    </dl>
  );
}
