import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';
import { t } from './language/t.ts';

/** Bronze: brand colour and primary action. */
const bronze: MantineColorsTuple = [
  '#fff6e6',
  '#fdeaca',
  '#f9d396',
  '#f6bd63',
  '#f2a33c',
  '#eb952a',
  '#d07f15',
  '#a85f04',
  '#854b03',
  '#633702',
];
/** Shades of the dark scheme, from text to background. */
const dark: MantineColorsTuple = [
  '#e8eaee',
  '#c4cad4',
  '#9aa3b2',
  '#7f8a9c',
  '#242a35',
  '#1e232d',
  '#181c24',
  '#12151b',
  '#0e1116',
  '#0b0d11',
];

/**
 * Primary buttons are bronze with dark text, destructive ones red; in the light scheme both are deeper, with white
 * text.
 */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colours = defaultVariantColorsResolver(input);
  const colour = input.color ?? input.theme.primaryColor;
  if (input.variant !== 'filled') return colours;
  if (colour === 'red')
    return {
      ...colours,
      background: 'var(--alarm)',
      hover: 'color-mix(in srgb, var(--alarm), var(--text) 12%)',
      color: 'var(--alarm-ink)',
    };
  if (colour !== 'bronze') return colours;
  return {
    ...colours,
    background: 'var(--accent)',
    hover: 'color-mix(in srgb, var(--accent), var(--text) 12%)',
    color: 'var(--accent-ink)',
  };
};

export const theme = createTheme({
  colors: { bronze, dark },
  primaryColor: 'bronze',
  primaryShade: { light: 7, dark: 4 },
  variantColorResolver,
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  defaultRadius: 8,
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'row' } },
    // A landmark of index.html.
    Portal: { defaultProps: { target: '#over' } },
    // The placeholder is an element without a role in a menu, which may have only items.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // Measured at the middle while it has no width yet, a list would reach beyond the edge of a phone, which then zooms out.
    Combobox: { defaultProps: { position: 'bottom-start' } },
    // Both are needed for the colours of `variantColorResolver`.
    Chip: { defaultProps: { variant: 'filled', color: 'bronze' } },
    Modal: {
      defaultProps: {
        ...{ centered: true, radius: 10, transitionProps: { duration: 120 } },
        closeButtonProps: { 'aria-label': t('Close') },
      },
    },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': 'var(--bg)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--muted)',
    '--mantine-color-placeholder': 'var(--faint)',
    '--mantine-color-default': 'var(--raised)',
    '--mantine-color-default-border': 'var(--line)',
    '--mantine-color-error': 'var(--alarm)',
  },
  dark: {
    '--mantine-color-body': 'var(--bg)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--muted)',
    '--mantine-color-placeholder': 'var(--faint)',
    '--mantine-color-default': 'var(--raised)',
    '--mantine-color-default-border': 'var(--line)',
    '--mantine-color-error': 'var(--alarm)',
  },
});

/** Whether it is night for the viewer, when bright colours are avoided regardless of the device's setting. */
export function isNight(at: Date): boolean {
  const hour = at.getHours();
  return hour >= 20 || hour < 7;
}
