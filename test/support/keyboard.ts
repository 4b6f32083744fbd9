import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from './eventually.ts';

/** More than any page has that takes the focus. */
const TABS_MAX = 150;

// The page runs the text of these. A string would be an expression: a function that nobody calls.
const IS_BEFORE = new Function(
  'one',
  'return (document.activeElement.compareDocumentPosition(one) & 2) > 0',
) as () => boolean;
const MARK = new Function(
  'one',
  'const style = getComputedStyle(one); return style.outlineStyle + style.boxShadow;',
) as () => string;

/** A person without a mouse. What such a person cannot reach, or cannot see the focus of, fails the test. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Presses Tab, or Shift and Tab for what is above, until an element has the focus. */
  async to(selector: string): Promise<void> {
    // A button that is at work takes no second press.
    await this.#page.waitForSelector(`${selector}:not([aria-disabled="true"])`);
    const focused = this.#page.locator(`${selector}:focus`);
    const key = (await this.#page.locator(selector).first().evaluate(IS_BEFORE)) ? 'Shift+Tab' : 'Tab';
    for (let tabs = 0; (await focused.count()) === 0; tabs++) {
      assert.ok(tabs < TABS_MAX, `${key} never comes to ${selector}`);
      await this.#page.keyboard.press(key);
    }
    const mark = await focused.evaluate(MARK);
    assert.ok(typeof mark === 'string' && mark !== 'nonenone', `the focus on ${selector} can be seen: ${mark}`);
  }

  async press(selector: string, key = 'Enter'): Promise<void> {
    await this.to(selector);
    await this.#page.keyboard.press(key);
  }

  /** Replaces what is in a field. */
  async type(selector: string, text: string): Promise<void> {
    await this.to(selector);
    await this.#page.keyboard.press('Control+a');
    await this.#page.keyboard.insertText(text);
  }

  async check(selector: string): Promise<void> {
    await this.press(selector, 'Space');
    assert.ok(await this.#page.isChecked(selector), selector);
  }

  /** Goes down a group of radio buttons to a value: Tab comes only to the one that is chosen. */
  async pick(group: string, value: string): Promise<void> {
    await this.to(`${group}:checked`);
    for (let downs = 0; !(await this.#page.isChecked(`${group}[value="${value}"]`)); downs++) {
      assert.ok(downs < 20, `${group} has no ${value}`);
      await this.#page.keyboard.press('ArrowDown');
    }
  }

  /** Goes down the options of a list to a value. */
  async choose(selector: string, value: string): Promise<void> {
    await this.press(selector, 'Home');
    for (let downs = 0; (await this.#page.inputValue(selector)) !== value; downs++) {
      assert.ok(downs < 20, `${selector} has no ${value}`);
      await this.#page.keyboard.press('ArrowDown');
    }
  }

  /** Goes to a page of the console by the palette. */
  async room(title: string, heading = title): Promise<void> {
    const palette = this.#page.locator('dialog.palette');
    // While the console changes its key there is no palette.
    await eventually(async () => {
      if ((await palette.count()) === 0) await this.#page.keyboard.press('Control+k');
      return (await palette.count()) > 0;
    }, 'the palette opens');
    await this.#page.waitForSelector('dialog.palette [role="option"]');
    await this.#page.keyboard.insertText(`Go to ${title}`);
    await this.#page.waitForSelector(`dialog.palette [role="option"]:has-text("Go to ${title}")[aria-selected="true"]`);
    await this.#page.keyboard.press('Enter');
    await this.#page.waitForSelector(`h1:has-text("${heading}")`);
  }
}
