// What has been taken hold of so far, and which options are left by it. It knows nothing of the page.

export class Choosing {
  constructor(options = []) {
    this.options = options;
    this.picked = [];
  }

  // The options that are about all that was picked.
  left(picked = this.picked) {
    return this.options.filter((option) => picked.every((id) => option.places.includes(id)));
  }

  // What may be picked next: of each option left the first that is not picked yet.
  next() {
    const found = new Set();
    for (const option of this.left()) {
      const id = option.places.find((place) => !this.picked.includes(place));
      if (id !== undefined) found.add(id);
    }
    return found;
  }

  // The options left of which everything is picked.
  complete() {
    return this.left().filter((option) => option.places.length <= this.picked.length);
  }

  // Picks something, or lets it go. Gives the option that is meant, once nothing else can be.
  pick(id) {
    if (this.picked.includes(id)) {
      this.picked = this.picked.slice(0, this.picked.indexOf(id));
      return null;
    }
    if (this.left([...this.picked, id]).length) this.picked = [...this.picked, id];
    else if (this.left([id]).length) this.picked = [id];
    else return undefined;
    const left = this.left();
    return left.length === 1 && left[0].places.length <= this.picked.length ? left[0] : null;
  }

  clear() {
    this.picked = [];
  }
}

// Options that differ in a number alone, as one row: `raise to 20` … `raise to 400`.
export function ranges(options, least = 8) {
  const groups = new Map();
  for (const option of options) {
    const parts = /^(.*?)(\d+)(\D*)$/.exec(option.text);
    const key = parts && !option.places.length ? `${parts[1]}\u0000${parts[3]}` : option.key;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push({ option, number: parts ? Number(parts[2]) : 0, head: parts?.[1], tail: parts?.[3] });
  }
  const rows = [];
  for (const found of groups.values()) {
    const numbers = new Set(found.map((one) => one.number));
    if (found.length >= least && numbers.size === found.length) {
      rows.push({ range: found.sort((a, b) => a.number - b.number) });
    } else rows.push(...found.map((one) => ({ option: one.option })));
  }
  return rows;
}
