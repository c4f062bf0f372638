// Colours: a theme of the server as colours that the board is drawn with.

const css = (colour) => `rgb(${colour.join(' ')})`;

function blend(under, over, part) {
  return under.map((value, k) => Math.round(value + (over[k] - value) * part));
}

// The colours of a seat: its ink, and what it makes of the paper.
function inkOf(theme, ink) {
  const tint = blend(theme.paper, ink.colour, theme.tint);
  return {
    ...ink,
    ink: css(ink.colour),
    tint: css(tint),
    pen: css(blend(tint, ink.colour, theme.hatching)),
    grid: css(blend(tint, theme.grid, theme.grid_under_tint)),
    house: css(blend(theme.paper, ink.colour, theme.house)),
    ghost: css(blend(theme.paper, ink.colour, theme.ghost)),
    bar: css(blend(theme.paper, ink.colour, theme.bar)),
    light: css(ink.shape === 'open' ? theme.paper : blend(theme.paper, ink.colour, 0.3)),
    pip: css(blend(theme.paper, ink.colour, 0.2)),
  };
}

export function look(theme) {
  const names = ['paper', 'grid', 'margin_grid', 'frame', 'rule', 'text', 'quiet_text', 'zone', 'last'];
  const colours = Object.fromEntries(names.map((name) => [name, css(theme[name])]));
  return { ...theme, ...colours, name: theme.name, inks: theme.inks.map((ink) => inkOf(theme, ink)), faded };

  // The colours of a captured dot in a base of the seat `holder`, or in none.
  function faded(seat, holder) {
    const ground = holder === null ? theme.paper : blend(theme.paper, theme.inks[holder].colour, theme.tint);
    return { ink: css(blend(ground, theme.inks[seat].colour, theme.fading)), light: css(ground) };
  }
}

// Gives the page the colours of a theme, and the browser's own parts, such as scroll bars, their light or dark form.
export function applyTheme(theme) {
  const { style } = document.documentElement;
  for (const name of ['paper', 'text', 'quiet_text', 'grid', 'margin_grid', 'frame', 'last']) style.setProperty(`--${name}`, css(theme[name]));
  theme.inks.forEach(({ colour }, seat) => style.setProperty(`--seat${seat}`, css(colour)));
  const sum = (colour) => colour[0] + colour[1] + colour[2];
  style.colorScheme = sum(theme.paper) > sum(theme.text) ? 'light' : 'dark';
}
