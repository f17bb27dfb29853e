-- The database the attacks go against; `secrets` and customers.password are not allow-listed.
CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, password TEXT);
CREATE TABLE orders(id INTEGER PRIMARY KEY AUTOINCREMENT, customer_id INT REFERENCES customers(id), total REAL,
                    status TEXT, placed DATE);
CREATE TABLE secrets(id INTEGER PRIMARY KEY, token TEXT);
CREATE INDEX orders_by_customer ON orders(customer_id);
CREATE VIEW open_orders AS SELECT id, total FROM orders WHERE status = 'open';
CREATE VIEW all_secrets AS SELECT token FROM secrets;
INSERT INTO customers VALUES (1, 'Ada', 'a1'), (2, 'Bo', 'b2'), (3, 'Cy', 'c3');
INSERT INTO secrets VALUES (1, 'alpha'), (2, 'beta');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO orders SELECT i, i % 3 + 1, i * 1.5, CASE i % 2 WHEN 0 THEN 'open' ELSE 'closed' END,
                          date('2024-01-01', '+' || i || ' days') FROM n;
ANALYZE;
