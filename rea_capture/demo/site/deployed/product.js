"use strict";

const product = document.querySelector("#product");

document.querySelector("#add").addEventListener("click", () => {
  const cart = JSON.parse(localStorage.getItem("cart") ?? "{}");
  cart[product.dataset.id] = (cart[product.dataset.id] ?? 0) + 1;
  localStorage.setItem("cart", JSON.stringify(cart));
  document.querySelector("#added").textContent = "In your cart.";
});

async function showStock() {
  const answer = await fetch(`/api/stock?id=${product.dataset.id}`);
  const pieces = await answer.text();
  if (answer.ok) {
    document.querySelector("#stock").textContent = `${pieces} in stock`;
  }
  product.dataset.state = "ready";
}

showStock();
