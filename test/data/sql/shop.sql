-- A small shop for the generator's cases: declared keys, a link that nobody declared, JSON properties, vectors.
CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, city TEXT, country TEXT, is_active INT, joined_on DATE);
CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT, category TEXT, unit_price REAL, weight_kg REAL);
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INT REFERENCES customers(id), status TEXT, total REAL, order_date DATE);
CREATE TABLE order_lines(order_id INT, product_id INT, quantity INT);
CREATE TABLE nodes(id INTEGER PRIMARY KEY, node_type TEXT, content TEXT, date DATE, properties JSON, embedding_vector BLOB);
INSERT INTO customers VALUES (1, 'Ada Byron', 'London', 'UK', 1, '2023-02-01'), (2, 'Bo Diaz', 'Lima', 'Peru', 1, '2023-11-20'),
                             (3, 'Cy Young', 'Leeds', 'UK', 0, '2024-01-05'), (4, 'Di Costa', 'Porto', 'Portugal', 1, '2024-04-09');
INSERT INTO products VALUES (1, 'Lamp', 'Home', 30, 1.5), (2, 'Desk', 'Office', 220, 25), (3, 'Pen', 'Office', 2, 0.01);
INSERT INTO orders VALUES (1, 1, 'open', 60, '2024-04-10'), (2, 1, 'shipped', 220, '2024-04-28'), (3, 2, 'open', 2, '2024-05-02'),
                          (4, 3, 'cancelled', 30, '2023-12-24');
INSERT INTO order_lines VALUES (1, 1, 2), (2, 2, 1), (3, 3, 1), (4, 1, 1);
INSERT INTO nodes VALUES (1, 'task', 'Call the bank', '2024-05-01', '{"status": "open", "priority": "high", "hours": 2}', NULL),
                         (2, 'task', 'Write the report', '2024-05-03', '{"status": "done", "priority": "low", "hours": 5}', NULL),
                         (3, 'note', 'Ideas for the garden', '2024-04-12', '{"mood": "good"}', NULL);
