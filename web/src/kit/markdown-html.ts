import createDOMPurify from 'dompurify';
import { Marked } from 'marked';

const TAGS = [
  ...['p', 'br', 'hr', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'a', 'ul', 'ol', 'li'],
  ...['h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];

/** Level of the last heading. The view has the h1, and levels must not be skipped, whatever the text does. */
let lastLevel = 1;

const marked = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, depth }) {
      lastLevel = Math.min(6, depth + 1, lastLevel + 1);
      return `<h${lastLevel}>${this.parser.parseInline(tokens)}</h${lastLevel}>\n`;
    },
    // An empty corner cell of a table is not a header.
    tablecell({ tokens, header, align }) {
      const text = this.parser.parseInline(tokens);
      const cell = header && text.trim() ? 'th' : 'td';
      return `<${cell}${align ? ` align="${align}"` : ''}>${text}</${cell}>\n`;
    },
    // A remote image would tell its owner who reads this, and when.
    image({ href, text }) {
      return `<a href="${escaped(href)}">${escaped(text || href)}</a>`;
    },
    // HTML in the text is shown as text.
    html({ text }) {
      return escaped(text);
    },
    checkbox({ checked }) {
      return checked ? '☑ ' : '☐ ';
    },
  },
});

const purify = createDOMPurify(window);
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer nofollow');
  }
  // Elements that scroll sideways must be reachable by keyboard.
  if (node.tagName === 'PRE' || node.tagName === 'TABLE') node.setAttribute('tabindex', '0');
});

/** Sanitized HTML for a Markdown text. `wrapped`: line breaks only wrap the text. */
export function markdownHtml(text: string, wrapped: boolean): string {
  lastLevel = 1;
  return purify.sanitize(marked.parse(text, { async: false, breaks: !wrapped }), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'align', 'start'],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto|tel):/i,
  });
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
