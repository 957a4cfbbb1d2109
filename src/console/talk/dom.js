// @ts-check

/**
 * The element with this id, which the page is known to have.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`no ${type.name} #${id} in the page`);
  return element;
}

/**
 * @param {string} tag
 * @param {string} className
 * @param {string} [text]
 */
export function create(tag, className, text = '') {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}
