// Texts whose contrast with the plain colour behind them is below 4.5 to 1 (a gradient has two ends).
() => {
  const lum = c => { const [r, g, b] = c.map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b };
  const rgb = text => { const n = (text.match(/[\d.]+/g) || []).map(Number); return n.length > 3 && n[3] === 0 ? null : n };
  const grounds = e => { for (; e; e = e.parentElement) { const s = getComputedStyle(e), c = rgb(s.backgroundColor);
      if (c) return [c.slice(0, 3)];
      const stops = s.backgroundImage.match(/rgba?\([^)]*\)/g);
      if (stops && !e.classList.contains('actions')) return stops.map(t => rgb(t).slice(0, 3)) } return [[255, 255, 255]] };
  const faint = [];
  for (const e of document.querySelectorAll('main *, nav *')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    const s = getComputedStyle(e);
    if (!own || !e.getClientRects().length || e.closest('.unseen, [disabled], .card, .die, svg') || e.matches('.card, .die')) continue;
    const ink = rgb(s.color).slice(0, 3);
    for (const ground of grounds(e)) {
      const [a, b] = [lum(ink), lum(ground)].sort((x, y) => y - x);
      if ((a + .05) / (b + .05) < 4.5) faint.push(`${e.textContent.trim().slice(0, 20)}: ${s.color} on ${ground}`);
    }
  }
  return faint }
