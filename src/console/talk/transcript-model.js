// @ts-check

/**
 * @typedef {'user' | 'assistant'} Role
 * @typedef {{ id: number, role: Role, text: string, final: boolean, cut: boolean, atMs: number }} Line
 */

/** The lines of a conversation as they grow. An utterance is one line from its first interim to its final. */
export class TranscriptModel {
  /** @type {Line[]} */ lines = [];
  #nextId = 1;
  /** Playback was silenced and nothing was played since. */
  #silenced = false;

  silenced() {
    this.#silenced = true;
  }

  sounded() {
    this.#silenced = false;
  }

  /**
   * @param {{ role: Role, text: string, final: boolean }} said
   * @param {number} atMs
   * @returns {Line} the line that changed; its text is empty when it is gone
   */
  add({ role, text, final }, atMs) {
    const open = this.lines.find((line) => line.role === role && !line.final);
    const line = open ?? this.#continued(role, text) ?? this.#begin(role, atMs);
    line.text = text;
    line.final = final;
    line.cut = final && role === 'assistant' && this.#silenced;
    if (text === '') this.lines = this.lines.filter((kept) => kept !== line);
    return line;
  }

  /**
   * A caller who went on after the pause: the service says the whole turn again.
   * @param {Role} role
   * @param {string} text
   */
  #continued(role, text) {
    const last = this.lines.at(-1);
    const goesOn = role === 'user' && last?.role === 'user' && text.startsWith(last.text);
    return goesOn ? last : undefined;
  }

  /**
   * @param {Role} role
   * @param {number} atMs
   */
  #begin(role, atMs) {
    const line = { id: this.#nextId++, role, text: '', final: false, cut: false, atMs };
    this.lines.push(line);
    return line;
  }
}
