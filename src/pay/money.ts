/**
 * Money as whole numbers: rates in ten-thousandths of the currency’s unit for an hour, amounts in its smallest unit.
 * Floating point is never used for either.
 */

/** Decimals of a rate: `12.3456`. */
const RATE_DIGITS = 4;
const RATE_UNIT = 10n ** BigInt(RATE_DIGITS);
const HOUR_MS = 3_600_000n;

/** A rate such as `12.50` in ten-thousandths. The text matches `RATE` of the contract. */
export function rateOf(text: string): bigint {
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole) * RATE_UNIT + BigInt(part.padEnd(RATE_DIGITS, '0'));
}

/**
 * The cost of a time in the smallest unit of the currency, rounded once, half a unit up. `ms` is whole and not
 * negative.
 */
export function priceOf(rate: bigint, ms: number, digits: number): bigint {
  const of = RATE_UNIT * HOUR_MS;
  return (2n * rate * BigInt(ms) * 10n ** BigInt(digits) + of) / (2n * of);
}

/** How many decimals the currency has: 2 for EUR, 0 for JPY, 3 for KWD. */
export function digitsOf(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return maximumFractionDigits;
}

export function isCurrency(text: string): boolean {
  return Intl.supportedValuesOf('currency').includes(text);
}

/** `-12.30` */
export function amountText(amount: bigint, digits: number): string {
  const text = (amount < 0n ? -amount : amount).toString().padStart(digits + 1, '0');
  const sign = amount < 0n ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** The amount that `amountText` wrote. */
export function amountOf(text: string): bigint {
  return BigInt(text.replace('.', ''));
}
