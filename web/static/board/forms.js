// Forms: what their buttons do, beyond what a browser does by itself.

import { write } from './elements.js';

// Has a form call `go` by its button, and by Enter in a field, which presses it, once all fields are valid. A sandboxed frame
// submits no form and tells of none, but a press comes there, too.
export function onSubmit(form, go) {
  form.querySelector('[type="submit"]').addEventListener('click', (event) => {
    event.preventDefault();
    if (form.reportValidity()) go();
  });
}

// Copies what a field has, and says on the button that it is copied.
export async function copyText(field, button, copied) {
  field.select();
  await navigator.clipboard?.writeText(field.value).then(() => write(button, copied), () => {});
}
