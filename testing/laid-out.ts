import type { Page } from 'playwright-core';

/** A text that is visible on a page, or in an attribute that is read out, with the element around it. */
export type ShownText = { text: string; place: string };

export type LaidOut = {
  /** Elements that make the page scroll sideways. */
  wide: string[];
  /** Texts of which a part is outside of a box that hides it. */
  cut: ShownText[];
  /** Pairs of texts that are drawn over each other. */
  overlapping: string[];
  /** Texts of tabs, pills and choices that need more lines than one, and of buttons that need more than two. */
  wrapped: ShownText[];
  shown: ShownText[];
};

/** How the texts of a page, or of its uppermost dialog, are laid out. */
export async function laidOut(page: Page): Promise<LaidOut> {
  return page.evaluate<LaidOut>(LAID_OUT);
}

/** Lengths are in CSS pixels; a pixel of rounding is not a flaw. */
const LAID_OUT = `(() => {
  const found = { wide: [], cut: [], overlapping: [], wrapped: [], shown: [] };
  const dialogs = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].filter((one) => one.checkVisibility());
  const root = dialogs.at(-1) ?? document.body;
  const place = (element) => element.tagName.toLowerCase() + (element.id && !element.id.startsWith('mantine') ? '#' + element.id : '') +
    [...element.classList].slice(0, 3).map((name) => '.' + name).join('');
  const styles = new Map();
  const styleOf = (element) => {
    let style = styles.get(element);
    if (!style) styles.set(element, (style = getComputedStyle(element)));
    return style;
  };
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width)
    for (const element of document.body.querySelectorAll('*')) {
      if (element.getBoundingClientRect().right <= width + 1) continue;
      let up = element.parentElement;
      while (up && up !== document.body && !/auto|scroll|hidden|clip/.test(styleOf(up).overflowX)) up = up.parentElement;
      if (up === document.body) found.wide.push(place(element) + ': ' + element.textContent.trim().slice(0, 60));
    }
  const hides = (value) => value === 'hidden' || value === 'clip';
  const isUnseen = (element) => {
    for (let up = element; up; up = up.parentElement) {
      const style = styleOf(up);
      if (style.clipPath !== 'none' || style.clip !== 'auto' || style.opacity === '0') return true;
      if (up.clientWidth <= 1 && hides(style.overflowX)) return true;
    }
    return false;
  };
  const rectsOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter((rect) => rect.width > 0.5 && rect.height > 0.5);
  };
  const drawn = [];
  const skipped = 'script, style, noscript, [aria-hidden=true]';
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    const text = node.data.trim();
    if (!text || !parent || parent.closest('script, style, noscript') || !parent.checkVisibility({ visibilityProperty: true })) continue;
    const code = parent.closest('code, pre, kbd, .kbd, .mono, [class*="markdown"], option');
    if (!code && !parent.closest('[aria-hidden=true]')) found.shown.push({ text, place: place(parent) });
    if (parent.closest('option') || isUnseen(parent)) continue;
    const rects = rectsOf(node);
    if (rects.length === 0) continue;
    let isScrolled = false;
    let isFloating = false;
    for (let up = parent; up && up !== document.body; up = up.parentElement) {
      const style = styleOf(up);
      const box = up.getBoundingClientRect();
      const horizontally = rects.some((rect) => rect.right > box.right + 1.5 || rect.left < box.left - 1.5);
      // Lines of text are taller than their letters.
      const vertically = rects.some((rect) => rect.bottom > box.bottom + 5 || rect.top < box.top - 5);
      if ((hides(style.overflowX) && horizontally) || (hides(style.overflowY) && vertically)) {
        // A title shows the whole text of what is cut by design.
        if (!parent.closest('[title]')) found.cut.push({ text, place: place(parent) + ' in ' + place(up) });
        break;
      }
      if (/auto|scroll/.test(style.overflowX + style.overflowY) && up !== root) isScrolled = true;
      if (/fixed|sticky|absolute/.test(style.position)) isFloating = true;
      if (isScrolled) break;
    }
    // Buttons may have two lines on a phone; the choices of a list do not look like buttons.
    const control = parent.closest('[role=tab], .pill, [class*="SegmentedControl-label"], [class*="Button-label"]');
    const lines = new Set(rects.map((rect) => Math.round(rect.top / 6))).size;
    if (control && lines > (control.matches('[class*="Button-label"]') ? 2 : 1)) found.wrapped.push({ text, place: place(control) });
    if (!isScrolled && !isFloating) for (const rect of rects) drawn.push({ rect, text, node });
  }
  drawn.sort((a, b) => a.rect.top - b.rect.top);
  drawn.forEach((one, at) => {
    for (let next = at + 1; next < drawn.length && drawn[next].rect.top < one.rect.bottom - 5; next++) {
      const other = drawn[next];
      const common = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      if (other.node !== one.node && common > 3) found.overlapping.push(one.text.slice(0, 60) + ' | ' + other.text.slice(0, 60));
    }
  });
  for (const list of root.querySelectorAll('[role=tablist]'))
    if (list.checkVisibility() && list.scrollWidth > list.clientWidth + 1) found.cut.push({ text: list.textContent, place: place(list) });
  const pen = document.createElement('canvas').getContext('2d');
  for (const field of root.querySelectorAll('input, select')) {
    if (!field.checkVisibility() || isUnseen(field) || /checkbox|radio|hidden|range|color|file|date|time/.test(field.type)) continue;
    const text = field.tagName === 'SELECT' ? (field.selectedOptions[0]?.label ?? '') : field.value || field.placeholder;
    if (field.tagName === 'INPUT' && field.value && !field.readOnly && field.getAttribute('aria-haspopup') !== 'listbox') continue;
    const style = getComputedStyle(field);
    // The shorthand is empty beside font features.
    pen.font = [style.fontWeight, style.fontSize, style.fontFamily].join(' ');
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (text && pen.measureText(text).width > room + 1) found.cut.push({ text, place: place(field) });
  }
  for (const element of root.querySelectorAll('[aria-label], [title], [placeholder]'))
    if (element.checkVisibility() && !element.closest(skipped))
      for (const name of ['aria-label', 'title', 'placeholder'])
        if (element.getAttribute(name)) found.shown.push({ text: element.getAttribute(name), place: place(element) + ' ' + name });
  for (const option of root.querySelectorAll('option')) found.shown.push({ text: option.label, place: 'option' });
  found.shown.push({ text: document.title, place: 'title' });
  return found;
})()`;
