// What both clients ask for, and how they tell the test of it.

export const APPLICATION = await (await fetch('/sdk/application')).text();
export const AUTHORIZE = {
  client_id: APPLICATION, response_type: 'code', state: '', prompt: 'none', scope: ['identify', 'rpc.activities.write'],
};
export const STATUS = { activity: { type: 0, details: 'Ola – Максим', state: '12 : 8' } };
export const MOMENT = { mediaUrl: `${new URL(location.href).origin}/page/mark.svg` };
export const FOREIGN = { ...AUTHORIZE, client_id: '1' };

export function note(what, value) {
  fetch(`/sdk/note?${new URLSearchParams({ what, value })}`, { method: 'POST', keepalive: true }); // the page may close at once
}

export async function token(code) {
  return await (await fetch('/sdk/token', { method: 'POST', body: code })).text();
}
