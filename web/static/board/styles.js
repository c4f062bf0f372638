// Styles: sheets that scripts bring, as a page in a frame of opaque origin needs them: in WebKit 'self' in a policy matches
// nothing there, whether it is this site's policy or that of an Activity's proxy. No policy forbids a sheet that a script makes.

// Resolves with the style sheet at a path.
export async function loadStyle(path) {
  const answer = await fetch(path, { credentials: 'omit' });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return new CSSStyleSheet().replace(await answer.text());
}
