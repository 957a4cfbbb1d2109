/** The elements of the widget. */
export interface Parts {
  readonly call: HTMLButtonElement;
  readonly callText: HTMLElement;
  readonly mute: HTMLButtonElement;
  readonly panel: HTMLElement;
  readonly status: HTMLElement;
  readonly fault: HTMLElement;
  readonly captions: HTMLElement;
  readonly form: HTMLFormElement;
  readonly text: HTMLInputElement;
}

const HANDSET =
  'M6.6 10.8a15 15 0 0 0 6.6 6.6l2.2-2.2a1 1 0 0 1 1-.2c1.1.4 2.3.6 3.6.6a1 1 0 0 1 1 1V20a1 1 0 0 1-1 1A17 17 0 0 1 3 4a1 1 0 0 1 1-1h3.5a1 1 0 0 1 1 1c0 1.3.2 2.5.6 3.6a1 1 0 0 1-.3 1z';

/** Makes the elements without any HTML text, which pages with Trusted Types refuse. */
export function parts(root: ShadowRoot): Parts {
  const callText = make('span');
  const call = make('button', { type: 'button', class: 'call', part: 'button' }, icon(), callText);
  const mute = make('button', { type: 'button', class: 'mute', 'aria-pressed': 'false' }, 'Mute');
  const status = make('p', { class: 'status', role: 'status' });
  const fault = make('p', { class: 'fault', role: 'alert' });
  const captions = make('div', {
    class: 'captions',
    part: 'captions',
    role: 'log',
    tabindex: '0',
    'aria-label': 'What is said',
  });
  const text = make('input', {
    'aria-label': 'Write instead of speaking',
    placeholder: 'Write instead of speaking',
    maxlength: '2000',
    autocomplete: 'off',
  });
  const send = make('button', { type: 'submit' }, 'Send');
  const form = make('form', {}, text, send);
  const box = { class: 'panel', part: 'panel', 'aria-label': 'Call' };
  const panel = make('section', box, status, fault, captions, form);
  const buttons = make('div', { class: 'buttons' }, call, mute);
  root.append(panel, buttons);
  return { call, callText, mute, panel, status, fault, captions, form, text };
}

function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes))
    element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

function icon(): SVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', HANDSET);
  svg.append(path);
  return svg;
}
