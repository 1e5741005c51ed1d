import fc from 'fast-check';
import { CODE_POINT } from './code-point.ts';

/** As `fc.webUrl()`, which first lists all characters: that takes three seconds of processor time of each process. */
export const WEB_URL: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.domain(),
    fc.array(
      fc.string({
        unit: fc.oneof(
          fc.constantFrom(..."azAZ09-._~!$&'()*+,;=:@"),
          CODE_POINT.map((character) => encodeURIComponent(character)),
        ),
      }),
      { maxLength: 5 },
    ),
  )
  .map(([scheme, host, segments]) => [`${scheme}://${host}`, ...segments].join('/'));
