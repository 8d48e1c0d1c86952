"use strict";

function row(product, pieces) {
  const line = document.createElement("tr");
  for (const text of [product.name, String(pieces), product.price]) {
    line.insertCell().textContent = text;
  }
  line.lastElementChild.className = "price";
  return line;
}

async function show() {
  const cart = JSON.parse(localStorage.getItem("cart") ?? "{}");
  const products = await (await fetch("/api/products")).json();
  const bought = products.filter((product) => product.id in cart);
  const cents = bought.reduce((sum, product) => sum + product.price_cents * cart[product.id], 0);
  const table = document.querySelector("#cart");
  table.tBodies[0].replaceChildren(...bought.map((product) => row(product, cart[product.id])));
  document.querySelector("#total").textContent = `${(cents / 100).toFixed(2)} €`;
  table.dataset.state = "ready";
}

show();
