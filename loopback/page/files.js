// Files: a person's files for a command, encoded for the WebSocket.

// The options of a command, each file as its name and its data.
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
    reader.onload = () => {
      const address = String(reader.result);
      resolve(address.slice(address.indexOf(',') + 1));
    };
    reader.onerror = () => reject(new Error(`${file.name} could not be read`));
    reader.readAsDataURL(file);
  });
}
