/** Run in the page, beside what watch-page.js put there. */
export const loudspeakerIs = (wanted) => window.loudspeaker() > 0.01 === (wanted === 'audible');
export const layoutShift = () => window.layoutShift;

export const hasAxe = () => window.axe !== undefined;

/**
 * What axe has against the page as it is, a line each: by all rules, or by those that judge colours. What it has against
 * a page that changed while it looked may be true of neither state: it looks again, at most ten times.
 * @param {string} rules
 */
export const axeFaults = async (rules) => {
  // The theme that was just chosen is drawn first.
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  let hasChanged = false;
  const changes = new MutationObserver(() => {
    hasChanged = true;
  });
  changes.observe(document.body, { subtree: true, childList: true, characterData: true });
  let found = [];
  for (let looks = 0; looks < 10; looks++) {
    hasChanged = false;
    const { violations } = await window.axe.run(document, {
      resultTypes: ['violations'],
      runOnly:
        rules === 'colours'
          ? ['color-contrast', 'link-in-text-block']
          : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    found = violations;
    if (found.length === 0 || !hasChanged) break;
  }
  changes.disconnect();
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target}: ${failureSummary}`),
  );
};

/** What makes the page wider than its window, once charts have followed its size. */
export const overflowing = async () => {
  const areas = () => [document.documentElement, document.querySelector('main')].filter(Boolean);
  const fits = () => areas().every((area) => area.scrollWidth <= area.clientWidth);
  for (let frames = 0; frames < 60 && !fits(); frames++)
    await new Promise((drawn) => requestAnimationFrame(drawn));
  if (fits()) return [];
  const { clientWidth } = document.documentElement;
  const wide = [...document.querySelectorAll('body *')].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 1,
  );
  return wide.slice(0, 5).map((element) => `${element.outerHTML.slice(0, 120)} sticks out`);
};

/**
 * What is dragged over the page when it is a file of this name and text.
 * @param {string[]} file
 */
export function draggedFile([name = '', text = '']) {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], name));
  return transfer;
}

/**
 * How many lines of text fields have room for.
 * @param {HTMLElement[]} fields
 */
export const heightsInLines = (fields) =>
  fields.map((field) => {
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(field);
    const inside = field.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
    return Math.round(inside / parseFloat(lineHeight));
  });

/** Lets bars that stick to an edge flow with the page. */
export function unstick() {
  for (const element of document.querySelectorAll('body *'))
    if (getComputedStyle(element).position === 'sticky') {
      element.setAttribute('data-unstuck', '');
      element.style.position = 'static';
    }
}

/** Takes back {@link unstick}. */
export function stickAgain() {
  for (const element of document.querySelectorAll('[data-unstuck]')) {
    element.removeAttribute('data-unstuck');
    element.style.position = '';
  }
}

/** The time since the navigation, once the page has its title and no part of it waits for data; else false. */
export const untilContent = () => {
  const main = document.querySelector('main');
  if (!main?.querySelector('h1')) return false;
  if (main.querySelector('.skeleton, .late, [aria-busy=true]:not(button)')) return false;
  const waits = [...main.querySelectorAll('td, td *')].some(
    ({ textContent }) => textContent === '…',
  );
  return !waits && performance.now();
};

/** Tells a message that was read from one that says the same again. */
export const markRead = (message) => message.setAttribute('data-read', '');

/** True if the element shows this text, in its own page or in its shadow. */
export const showsText = (selector, text) => {
  const element = document.querySelector(selector);
  return (element?.shadowRoot ?? element)?.textContent?.includes(text) === true;
};
