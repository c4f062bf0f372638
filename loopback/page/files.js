// Files: what a person gives to a command from the own computer, as the WebSocket takes it.

// The options of a command, each file as its name and what is in it.
export async function packed(options) {
  const each = Object.entries(options).map(async ([name, value]) => [
    name,
    value instanceof File ? { name: value.name, data: await inBase64(value) } : value,
  ]);
  return Object.fromEntries(await Promise.all(each));
}

function inBase64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(new Error(`${file.name} could not be read`));
    reader.readAsDataURL(file);
  });
}
